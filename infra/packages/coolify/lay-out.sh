# Puts the folders and files where Coolify looks for them. What lies deeper belongs to the customer's apps and is left alone.
set -eu
data=/data/coolify
for folder in source ssh ssh/keys ssh/mux applications databases backups services proxy proxy/dynamic proxy/logs sentinel images \
  images/avatars images/project-icons webhooks-during-maintenance; do
  mkdir -p "$data/$folder"
  chown 9999:0 "$data/$folder"
  chmod 700 "$data/$folder"
done

put() { # put FILE TARGET
  install -o 9999 -g 0 -m 600 "$1" "$2.part"
  mv -f "$2.part" "$2"
}
put coolify.env "$data/source/.env"
for file in proxy/* proxy/dynamic/*; do
  [ ! -f "$file" ] || put "$file" "$data/$file"
done
