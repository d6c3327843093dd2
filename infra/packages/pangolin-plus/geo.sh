# Countries for Pangolin's rules, with the customer's key. Without the file Pangolin would not start, so where it cannot be had
# Pangolin is not told of it. The key comes from a file that goes, and reaches the program by its standard input.
set -u
body=.moorage/geo.json
file=config/GeoLite2-Country.mmdb
[ -f "$body" ] || exit 0
key=$(sed -n 's/.*"key": *"\([^"]*\)".*/\1/p' "$body")
if [ ! -s "$file" ]; then
  printf 'url = "https://download.maxmind.com/app/geoip_download?edition_id=GeoLite2-Country&license_key=%s&suffix=tar.gz"\n' "$key" \
    | curl -fsSL --max-time 60 -o "$file.tar.gz" -K - 2> /dev/null \
    && tar -xzOf "$file.tar.gz" --wildcards '*.mmdb' > "$file.part" 2> /dev/null && [ -s "$file.part" ] && mv -f "$file.part" "$file"
  rm -f "$file.tar.gz" "$file.part"
fi
if [ ! -s "$file" ]; then
  echo 'countries: the file could not be had'
  sed -i '/maxmind_db_path/d' config/config.yml
fi
rm -f "$body"
