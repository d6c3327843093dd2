import { onServer } from '../real-server/host-fixture';

/** A package with everything that it stores. Each place is written and read on the server itself. */
export interface Family {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** File that the platform writes, within the copied folders. */
  readonly rendered: string | null;
  readonly dumps: readonly string[];
  /** Service that is stopped while its volume is copied. */
  readonly stopped: string | null;
  /** Shell script that writes `$1` wherever the package stores something. */
  readonly write: string;
  /** Shell script that prints `place=content`. */
  readonly read: string;
}

const PEOPLE = { DOMAIN: 'copies.example.test', EMAIL: 'ada@example.com' };
const SECRETS = {
  ADMIN_PASSWORD: 'Harbour-Light-7-North',
  CROWDSEC_ENROLLMENT_KEY: 'clx1y2z3a4b5c6d7e8f9g0h1i',
  OPENAI_API_KEY: 'sk-proj-0123456789abcdefghij',
};

/**
 * Writes to SQLite and kills the writer, so that the data is still in the write-ahead log, where a plain copy would
 * miss it.
 */
const SQLITE = `
into() {
  mkdir -p "$(dirname "$1")"
  sqlite3 "$1" 'pragma journal_mode=wal' 'create table if not exists facts (text)' "insert into facts values ('$2')" ".shell kill -9 \\$PPID" > /dev/null || true
}
from() { echo "$1=$(sqlite3 "$1" 'select group_concat(text) from facts' 2> /dev/null)"; }
`;
const pangolin = ['config/db/db.sqlite', 'config/crowdsec/db/crowdsec.db', 'config/middleware-manager/middleware.db'];

export const FAMILIES: readonly Family[] = [
  {
    name: 'pangolin-ai',
    values: { ...PEOPLE, ADMIN_SUBDOMAIN: 'admin', ADMIN_USERNAME: 'ada@example.com', STATIC_PAGE_SUBDOMAIN: 'www' },
    secrets: SECRETS,
    rendered: 'config/traefik/rules/tools.yml',
    dumps: ['database', 'crowdsec', 'middleware'],
    stopped: 'qdrant',
    write: `${SQLITE}
      for file in ${pangolin.join(' ')}; do into "$file" "$1"; done
      for file in config/letsencrypt/mark $volumes/${'$'}{project}_qdrant-data/_data/mark; do echo "$1" > "$file"; done`,
    read: `${SQLITE}
      for file in ${pangolin.join(' ')}; do from "$file"; done
      echo "file=$(cat config/letsencrypt/mark)"
      echo "volume=$(cat $volumes/${'$'}{project}_qdrant-data/_data/mark)"`,
  },
  {
    name: 'coolify-plus',
    values: { ...PEOPLE, ADMIN_SUBDOMAIN: 'coolify', ADMIN_USERNAME: 'Ada Harbour' },
    secrets: SECRETS,
    rendered: null,
    dumps: ['database', 'crowdsec'],
    stopped: null,
    write: `${SQLITE}
      into config/crowdsec/db/crowdsec.db "$1"
      docker exec coolify-db psql -q -U coolify -d coolify -c 'create table if not exists facts (text text)' -c "insert into facts values ('$1')"
      mkdir -p /data/coolify/applications/one
      echo "$1" > /data/coolify/applications/one/docker-compose.yaml`,
    read: `${SQLITE}
      from config/crowdsec/db/crowdsec.db
      echo "postgres=$(docker exec coolify-db psql -U coolify -d coolify -qtAc "select string_agg(text, ',') from facts")"
      echo "file=$(cat /data/coolify/applications/one/docker-compose.yaml)"`,
  },
  {
    name: 'test-page',
    values: {},
    secrets: {},
    rendered: null,
    dumps: [],
    stopped: null,
    write: `echo "$1" > $volumes/${'$'}{project}_data/_data/mark`,
    read: `echo "volume=$(cat $volumes/${'$'}{project}_data/_data/mark)"`,
  },
];

const script = (ref: string, text: string): string => `set -e
project=moorage-${ref}
cd /opt/moorage/${ref}
volumes=/var/lib/docker/volumes
${text}`;

export const writeData = async (family: Family, ref: string, text: string): Promise<void> =>
  void (await onServer(['sh', '-c', script(ref, family.write), 'sh', text]));

export async function readData(family: Family, ref: string): Promise<Readonly<Record<string, string>>> {
  const output = await onServer(['sh', '-c', script(ref, family.read)]);
  const lines = output.trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Returns the content of every place after these texts were written in turn. A file has only the last text. */
export const expected = (
  seen: Readonly<Record<string, string>>,
  ...texts: string[]
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(seen).map((place) => [
      place,
      ['file', 'volume'].includes(place) ? (texts.at(-1) ?? '') : texts.join(','),
    ]),
  );
