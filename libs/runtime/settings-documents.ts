import { CLOUD_SECRETS } from './cloud-settings';
import { SETTINGS } from './settings';

/** First setting of each section. */
const PARTS: readonly (readonly [first: string, heading: string])[] = [
  ['MODE', 'Server'],
  ['DATABASE_URL', 'Database, events and work'],
  ['BRAND_NAME', 'Brand and support'],
  ['OPERATOR_NAME', 'Receipts and tax'],
  ['ADMIN_EMAIL', 'Administrators, secrets and access'],
  ['STRIPE_SECRET_KEY', 'Payments'],
  ['MAIL_URL', 'Email'],
  ['CLOUD_MODE', 'Cloud providers'],
  ['BACKUP_TARGET', 'Backups'],
  ['PLATFORM_DOMAIN', 'Platform domain'],
  ['PACKAGES_DIR', 'Packages, limits and lab settings'],
];

interface Documented {
  readonly name: string;
  readonly text: string;
  /** Default as an environment value, or an empty string. */
  readonly fallback: string;
}

const documented = (): readonly Documented[] =>
  Object.entries(SETTINGS).map(([name, schema]) => {
    const { data } = schema.safeParse(undefined);
    const fallback = typeof data === 'string' || typeof data === 'number' ? String(data) : '';
    return { name, text: schema.description ?? '', fallback };
  });

/** Returns the tables of `docs/settings.md`, one for each part. */
export function settingsTables(): string {
  const tables: string[] = [];
  for (const { name, text, fallback } of documented()) {
    const [, heading] = PARTS.find(([first]) => first === name) ?? [];
    if (heading !== undefined) tables.push(`### ${heading}\n\n| variable | default | description |\n|---|---|---|\n`);
    tables.push(`${tables.pop() ?? ''}| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${text} |\n`);
  }
  return tables.join('\n');
}

/** Returns the text of `.env.example`, which lists every setting with its default, commented out. */
export function envExample(): string {
  const entries = documented().map(({ name, text, fallback }) => `# ${text}\n# ${name}=${fallback}\n`);
  return [
    '# Moorage reads its environment and loads no file. Every line shows the default; settings without one are optional.\n',
    ...entries,
  ].join('\n');
}

/** Line of `docker-compose.yml` for a secret, by the name of its list. */
const COMPOSE_LINES: Readonly<Record<string, (name: string) => string>> = {
  unset: (name) => `${name}_FILE: ''`,
  paths: (name) => `${name}_FILE: \${${name}_FILE:-}`,
  names: (name) => `- ${name.toLowerCase()}`,
  files: (name) => `${name.toLowerCase()}: { file: secrets/${name.toLowerCase()} }`,
};

/** Returns `docker-compose.yml` with the current lists of the cloud secrets. */
export function withCloudSecrets(compose: string): string {
  const lists = /^( *)# cloud secrets: (\w+)\n[^]*?^ *# end of cloud secrets\n/gm;
  return compose.replace(lists, (all, indent: string, list: string) => {
    const line = COMPOSE_LINES[list];
    if (line === undefined) return all;
    const lines = [`# cloud secrets: ${list}`, ...CLOUD_SECRETS.map(line), '# end of cloud secrets'];
    return lines.map((each) => `${indent}${each}\n`).join('');
  });
}
