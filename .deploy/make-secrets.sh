#!/bin/sh
# Makes the secrets of compose.yaml in the folder `secrets` beside it, with a TLS certificate that you have:
#   .deploy/make-secrets.sh fullchain.pem privkey.pem
set -eu
[ $# = 2 ] || { echo "usage: $0 CERTIFICATE KEY" >&2; exit 2; }

directory=${SECRETS_DIR:-$(dirname "$0")/secrets}
# Only its owner may enter the folder. The users of the containers must be able to read the files, which are mounted one by one.
# A folder that exists stays as it is: a new password would not be that of the database.
mkdir -m 700 "$directory"
umask 022
password=$(openssl rand -hex 24)
echo "$password" >"$directory/postgres_password"
echo "postgresql://callboard:$password@postgres/callboard" >"$directory/database_url"
echo "first:$(openssl rand -hex 32)" >"$directory/jwt_secrets"
cat "$1" >"$directory/tls_certificate"
cat "$2" >"$directory/tls_key"
