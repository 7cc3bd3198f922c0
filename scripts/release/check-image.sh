#!/bin/sh
# Checks a container image: what it prints, that it does not run as root, that SIGTERM ends an import so that it can be
# resumed, that a folder of another account is refused with a message, and the example for Docker Compose.
#
#   scripts/release/check-image.sh IMAGE
set -eu
image=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
prefix=storeport-check-$$

fail() {
  echo "$1" >&2
  exit 1
}
expect() { # name, expected, found
  [ "$2" = "$3" ] || fail "$1: expected $2, found $3"
  echo "$1: $3"
}
compose() {
  STOREPORT_IMAGE=$image docker compose --project-name "$prefix" --file "$root/docs/examples/compose.yaml" "$@"
}
clean() {
  docker rm --force --volumes "$prefix-store" "$prefix-import" >/dev/null 2>&1 || true
  docker volume rm --force "$prefix" >/dev/null 2>&1 || true
  compose down --volumes >/dev/null 2>&1 || true
}
trap clean EXIT

version=$(node --print "require('$root/package.json').version")
expect 'version' "$version" "$(docker run --rm "$image" --version)"
expect 'account' 1000 "$(docker run --rm --entrypoint id "$image" -u)"
docker run --rm --read-only --tmpfs /tmp --tmpfs /data:uid=1000 "$image" demo

# An import that takes long enough to be stopped.
docker run --detach --name "$prefix-store" "$image" sandbox --port 4010 --fault latency=100ms >/dev/null
docker run --rm --volume "$prefix:/data" --entrypoint node "$image" --eval '
  const rows = Array.from({ length: 2000 }, (_, n) => `Product ${n},R-${n}`);
  fs.writeFileSync("/data/products.csv", ["name,reference", ...rows, ""].join("\n"));
'
in_store() { # options of docker run --, words of storeport
  docker run --network "container:$prefix-store" --volume "$prefix:/data" \
    --env STOREPORT_BASE_URL=http://127.0.0.1:4010 \
    --env STOREPORT_CLIENT_ID=5a9d0bff0000000000000001-sandbox --env STOREPORT_CLIENT_SECRET=sandbox-secret "$@"
}
in_store --detach --name "$prefix-import" "$image" import products products.csv --concurrency 8 >/dev/null
sleep 5
docker stop --time 45 "$prefix-import" >/dev/null
docker logs "$prefix-import"
expect 'exit code after SIGTERM' 130 "$(docker inspect --format '{{.State.ExitCode}}' "$prefix-import")"
in_store --rm "$image" run resume last
# Stopped in good order, so nothing is in doubt, and everything is there once.
counts=$(in_store --rm "$image" run show last --json | node --print 'JSON.stringify(JSON.parse(fs.readFileSync(0)).outcomes)')
expect 'outcomes after the resume' '{"created":2000}' "$counts"

status=0
message=$(docker run --rm --tmpfs /data:uid=0,mode=755 "$image" export reviews --sandbox --out reviews.csv 2>&1) || status=$?
expect 'exit code in a folder of root' 2 "$status"
case "$message" in
  *'belongs to the account 0'*) ;;
  *) fail "The message does not name the account: $message" ;;
esac

compose run --rm import
