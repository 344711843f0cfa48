#!/bin/sh
# Tries the point-in-time recovery of the guide for operators on a PostgreSQL of its own, under an ordinary user, with the settings of
# pgbackrest.conf beside this file: backs up into both repositories, deletes rows by mistake, restores to the second before from the
# encrypted one, and compares the rows. Prints the figures; ends with status 0 if every row is there.
#
#   .deploy/try-recovery.sh [rows]      needs pgbackrest, and PostgreSQL's own programs
set -eu

here=$(cd "$(dirname "$0")" && pwd)
rows=${1:-50000}
# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$rows"; fi
PATH=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1):$PATH
folder=$(mktemp -d)
data=$folder/data
port=${TRY_PORT:-54329}
trap 'pg_ctl -D "$data" stop -m immediate >/dev/null 2>&1; rm -rf "$folder"' EXIT

# The shipped settings, with the paths of this trial and a passphrase.
sed -e "s|=/var/lib/postgresql/.*|=$data|" -e "s|=/var/lib/pgbackrest|=$folder/near|" -e "s|=/mnt/elsewhere/pgbackrest|=$folder/elsewhere|" \
  -e "s|=/var/spool/pgbackrest|=$folder/spool|" -e "s|REPLACE-ME|$(openssl rand -base64 48)|" "$here/pgbackrest.conf" >"$folder/pgbackrest.conf"
cat >>"$folder/pgbackrest.conf" <<EOF
pg1-port=$port
pg1-socket-path=$folder
pg1-user=callboard
[global]
log-path=$folder
lock-path=$folder/lock
log-level-console=warn
EOF
backrest() { pgbackrest --config="$folder/pgbackrest.conf" --stanza=callboard "$@"; }
sql() { psql --no-psqlrc --quiet --tuples-only --no-align --host="$folder" --port="$port" --username=callboard --dbname=postgres --command="$1"; }
start() { pg_ctl -D "$data" -l "$folder/log" -w -o "-p $port -k $folder -c listen_addresses=" start >/dev/null; }
seconds() { awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $1 }"; }

initdb -D "$data" -U callboard -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
cat >>"$data/postgresql.conf" <<EOF
archive_mode = on
archive_command = 'pgbackrest --config=$folder/pgbackrest.conf --stanza=callboard archive-push %p'
archive_timeout = 60
EOF
start
sql "CREATE TABLE shifts AS SELECT id, repeat(md5(id::text), 8) AS note FROM generate_series(1, $rows) AS id"
backrest stanza-create
backrest check
began=$(date +%s.%N)
for repo in 1 2; do backrest --repo="$repo" --type=full backup; done
echo "two full backups: $(seconds "$began") s; $(du -sk "$data/base" | cut -f1) kB of data, $(du -sk "$folder/near" | cut -f1) kB near, $(du -sk "$folder/elsewhere" | cut -f1) kB elsewhere"

sql "INSERT INTO shifts SELECT id, 'after the backup' FROM generate_series($rows + 1, $rows + 500) AS id"
sleep 2
before=$(sql 'SELECT now()')
sleep 1
sql 'DELETE FROM shifts'
sql 'SELECT pg_switch_wal()' >/dev/null
pg_ctl -D "$data" -w stop -m fast >/dev/null

began=$(date +%s.%N)
backrest --repo=2 --delta --type=time --target="$before" --target-action=promote restore
start
until [ "$(sql 'SELECT pg_is_in_recovery()')" = f ]; do sleep 0.1; done
found=$(sql 'SELECT count(*) FROM shifts')
echo "restored to $before from the encrypted copy: $(seconds "$began") s; $found of $((rows + 500)) rows"
backrest check
backrest --repo=1 --type=incr backup
[ "$found" = $((rows + 500)) ]
