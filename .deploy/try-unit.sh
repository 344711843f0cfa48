#!/usr/bin/env bash
# Boots Debian with systemd in a container of systemd-nspawn, installs .deploy/callboard.service there for two processes, and
# tries what the unit promises: an unprivileged user, secrets as credentials, SIGTERM, restarts, no restart after a bad setting.
#
#   apt-get install debootstrap systemd-container procps    (as root, as is this script)
#   npm ci && npm run build
#   DATABASE_URL=postgresql://… .deploy/try-unit.sh         on this empty database at an address of this machine
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d /var/tmp/callboard-unit-XXXXXX)
root=$work/root
nspawn=
cleanup() {
  if [ -n "$nspawn" ]; then
    kill "$nspawn" 2>/dev/null || true
    wait "$nspawn" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap cleanup EXIT

say() { printf '\n== %s s: %s\n' "$SECONDS" "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; inside journalctl --unit 'callboard@*' --no-pager --lines 40; exit 1; }

say 'a root of Debian with systemd'
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
debootstrap --variant=minbase --include=systemd,systemd-sysv bookworm "$root" "$mirror" >"$work/log" 2>&1 ||
  { tail -n 20 "$work/log"; exit 1; }

say 'the unit and its files'
free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}
ports=("$(free_port)" "$(free_port)")
cp "$(command -v node)" "$root/usr/bin/node"
mkdir -p "$root/opt/callboard/node_modules/callboard" "$root/etc/callboard"
cp .deploy/callboard.service "$root/etc/systemd/system/callboard@.service"
# The example, without its Redis.
grep -v ^REDIS_URL .deploy/callboard.env >"$root/etc/callboard/callboard.env"
printf '%s\n' "$DATABASE_URL" >"$root/etc/callboard/database_url"
printf 'try:%s\n' "$(openssl rand -hex 32)" >"$root/etc/callboard/jwt_secrets"
chmod 600 "$root"/etc/callboard/*

say 'boot'
systemd-nspawn --directory "$root" --boot --register=no --keep-unit --console=pipe \
  --bind-ro="$PWD:/opt/callboard/node_modules/callboard" >"$work/console" 2>&1 </dev/null &
nspawn=$!
leader() { pgrep --parent "$nspawn" --newest; }
inside() { nsenter --target "$(leader)" --mount --pid --uts --ipc "$@"; }
for _ in $(seq 120); do
  inside systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' && break
  sleep 0.5
done

show() { inside systemctl show "callboard@$1" --property "$2" --value; }
wait_ready() {
  for _ in $(seq 120); do
    curl -sS --output /dev/null --fail "http://127.0.0.1:$1/readyz" 2>/dev/null && return
    sleep 0.5
  done
  fail "the process at port $1 does not become ready"
}
logged() { inside journalctl --unit "callboard@$1" --no-pager | grep -q "$2" || fail "the journal does not say: $2"; }

say 'two processes'
inside systemctl start "callboard@${ports[0]}" "callboard@${ports[1]}"
for port in "${ports[@]}"; do wait_ready "$port"; done
process=$(show "${ports[0]}" MainPID)
status=$(inside cat "/proc/$process/status")
grep -qE '^Uid:\s+6[0-9]{4}\s' <<<"$status" || fail 'the process has no dynamic user'
grep -qE '^CapEff:\s+0+$' <<<"$status" || fail 'the process has capabilities'
grep -qE '^Seccomp:\s+2$' <<<"$status" || fail 'the process has no filter of system calls'
environment=$(inside cat "/proc/$process/environ" | tr '\0' '\n')
grep -q '^JWT_SECRETS_FILE=/run/credentials/' <<<"$environment" || fail 'the credentials are not in use'
if grep -qE 'postgresql:|try:' <<<"$environment"; then fail 'a secret is in the environment'; fi

say 'SIGTERM drains, and a process that is killed is started again'
inside systemctl restart "callboard@${ports[0]}"
logged "${ports[0]}" 'SIGTERM: draining for 1000 ms'
wait_ready "${ports[0]}"
inside systemctl kill --signal KILL "callboard@${ports[1]}"
for _ in $(seq 60); do [ "$(show "${ports[1]}" NRestarts)" = 1 ] && break; sleep 0.5; done
wait_ready "${ports[1]}"
[ "$(show "${ports[1]}" NRestarts)" = 1 ] || fail 'the killed process was not started again'

say 'a bad setting is not tried again'
echo 'CALLBOARD_DB_POOL=none' >>"$root/etc/callboard/callboard.env"
inside systemctl restart "callboard@${ports[0]}" || true
for _ in $(seq 60); do inside systemctl is-failed --quiet "callboard@${ports[0]}" && break; sleep 0.5; done
sleep 4
[ "$(show "${ports[0]}" ExecMainStatus) $(show "${ports[0]}" NRestarts)" = '2 0' ] || fail 'a bad setting is tried again'
logged "${ports[0]}" 'CALLBOARD_DB_POOL is not valid'

say 'done'
