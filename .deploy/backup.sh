#!/bin/sh
# Backs up the database of Callboard at the start and then every BACKUP_HOURS hours, and keeps what is at most BACKUP_DAYS
# days old. Each backup is restored at once, into a database of its own, and is kept only if every table has as many rows as
# when the backup began. The time of such a backup is noted in the database, from where the metrics have it. The database is that
# of PGHOST, PGUSER, PGDATABASE and so on; the role may create databases.
#
#   backup.sh         runs until SIGTERM
#   backup.sh once    makes one backup; ends with status 0 if it can be restored
#   backup.sh check   ends with status 0 if the newest backup is not too old
set -eu

directory=${BACKUP_DIR:-/backups}
hours=${BACKUP_HOURS:-24}
days=${BACKUP_DAYS:-14}
export PGDATABASE="${PGDATABASE:-callboard}"
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi
trial=${PGDATABASE}_restored
latest=$directory/latest.dump
umask 077

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }
run_psql() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }

# The number of rows of each table.
rows="SELECT table_schema, table_name, (xpath('/row/count/text()',
    query_to_xml(format('SELECT count(*) FROM %I.%I', table_schema, table_name), false, true, '')))[1]
  FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"

# The rows are counted in the snapshot that pg_dump writes, so that clients may go on meanwhile.
dump() {
  run_psql --output="$work/rows" <<SQL
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT pg_export_snapshot() AS snapshot \gset
\setenv SNAPSHOT :snapshot
$rows;
\! pg_dump --format=custom --snapshot="\$SNAPSHOT" --file="$work/dump" && touch "$work/dumped"
COMMIT;
SQL
  [ -f "$work/dumped" ]
}

restore() {
  run_psql --command="DROP DATABASE IF EXISTS \"$trial\" WITH (FORCE)" 2>/dev/null &&
    run_psql --command="CREATE DATABASE \"$trial\"" &&
    pg_restore --exit-on-error --no-owner --dbname="$trial" "$work/dump" &&
    run_psql --dbname="$trial" --command="$rows" >"$work/restored"
}

# Prints nothing if the role may create the database that a backup is tried in.
missing_right() {
  run_psql --command="SELECT format('the role %I may not create databases, which the trial of a backup needs: run ALTER ROLE %1\$I CREATEDB as an administrator', rolname)
    FROM pg_roles WHERE rolname = current_user AND NOT (rolcreatedb OR rolsuper)"
}

# Versions before 0.3.0 have no such table.
note_time() {
  run_psql --command="INSERT INTO backup_state (id, verified_at) VALUES (1, '$began') ON CONFLICT (id) DO UPDATE SET verified_at = excluded.verified_at"
}

# Says what failed, and why: the last complaint of the programs, without their details and hints.
fail() {
  cat "$work/errors" >&2
  say "failed: $1: $(grep -viE '(^|: )(detail|hint):' "$work/errors" | tail -n 1)"
}

back_up() {
  # One at a time: they would share the database that is restored.
  exec 9>"$directory/.lock"
  flock 9
  rm -rf "$directory"/.work-*
  work=$(mktemp -d "$directory/.work-XXXXXX")
  status=1
  began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  : >"$work/errors"
  if ! missing=$(missing_right 2>"$work/errors"); then fail 'the database cannot be reached'
  elif [ -n "$missing" ]; then say "failed: $missing"
  elif ! dump 2>"$work/errors"; then fail 'the database could not be dumped'
  elif ! restore 2>"$work/errors"; then fail 'the backup could not be restored'
  elif ! [ -s "$work/rows" ] || ! cmp -s "$work/rows" "$work/restored"; then say 'failed: rows are missing in the backup'
  else
    name=callboard-$(date -u +%Y%m%dT%H%M%SZ).dump
    mv "$work/dump" "$directory/$name"
    ln -sfn "$name" "$latest"
    find "$directory" -maxdepth 1 -name 'callboard-*.dump' -mtime "+$((days - 1))" ! -name "$name" -delete
    say "$name: $(wc -c <"$directory/$name") bytes, restored with all rows of $(wc -l <"$work/rows") tables"
    note_time 2>"$work/errors" || say "its time could not be noted in the database, so the metrics do not know it: $(tail -n 1 "$work/errors")"
    status=0
  fi
  run_psql --command="DROP DATABASE IF EXISTS \"$trial\" WITH (FORCE)" 2>/dev/null || true
  rm -rf "$work"
  exec 9>&-
  return "$status"
}

case ${1:-} in
  once) back_up ;;
  check) [ -n "$(find -L "$latest" -mmin "-$((hours * 60 + 60))" 2>/dev/null)" ] ;;
  '')
    trap 'exit 0' TERM INT
    while :; do
      if back_up; then seconds=$((hours * 3600)); else seconds=600; fi
      # A signal ends the waiting at once.
      sleep "$seconds" &
      wait $!
    done
    ;;
  *)
    echo "usage: $0 [once | check]" >&2
    exit 2
    ;;
esac
