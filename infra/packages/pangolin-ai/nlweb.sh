# NLWeb has no image under a version, its packages have: they are installed once into the volume, and again when the list changed.
set -eu
list=/app/requirements.txt
want=$(sha256sum < "$list")
if [ "$(cat /packages/installed 2> /dev/null || true)" != "$want" ]; then
  rm -rf /packages/lib /packages/installed
  pip install --no-deps --no-cache-dir --disable-pip-version-check --root-user-action=ignore --target /packages/lib -r "$list"
  printf '%s\n' "$want" > /packages/installed
fi
export PYTHONPATH=/packages/lib:/app
exec python -m nlweb_network.server
