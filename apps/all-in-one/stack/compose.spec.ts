import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SUBSCRIPTIONS } from '@moorage/contracts';
import { SERVICES } from '@moorage/database';
import {
  BACKUP_SECRETS,
  CALLBACK_SECRETS,
  CLOUD_SECRETS,
  PLATFORM_SECRETS,
  SECRET_SETTINGS,
  SETTINGS,
} from '@moorage/runtime';
import { parse } from 'yaml';

/** The parts of a container in docker-compose.yml that are tested. */
interface ComposeService {
  image: string;
  command?: string[];
  build?: { target: string };
  restart?: string;
  profiles?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  privileged?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test: string[] };
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target?: string })[];
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  container_name?: string;
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const all = Object.entries(compose.services).filter(([, { profiles = [] }]) => !profiles.includes('ops'));
const services = Object.fromEntries(all);
/** Containers that exit after their work is done. */
const ONCE = ['check', 'migrate'];

/** Stages of the Dockerfile with their base and lines. */
const stages = new Map(
  readFileSync('infra/docker/Dockerfile', 'utf8')
    .split(/^FROM /m)
    .slice(1)
    .map((stage) => {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)/.exec(stage) ?? [];
      return [name, { base, stage }] as const;
    }),
);

/** Returns whether the stage of an image, or a stage it builds on, contains such a line. */
function dockerfileHas(target: string | undefined, line: RegExp): boolean {
  const found = stages.get(target ?? '');
  return found !== undefined && (line.test(found.stage) || dockerfileHas(found.base, line));
}

/** Returns the Dockerfile target of an image. `migrate` and `ops` run the image built by `check`. */
const targetOf = ({ image }: ComposeService): string | undefined => /^moorage\/(\w+):/.exec(image)?.[1];
const secretsOf = ({ secrets = [] }: ComposeService): string[] =>
  secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)).sort();

describe.each(all)('container of %s', (name, service) => {
  it('has resource limits', () => {
    expect(service).toMatchObject({
      restart: ONCE.includes(name) ? 'no' : 'unless-stopped',
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    });
  });

  it('has only the capabilities it needs', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    // Allows ports below 1024.
    expect(service.cap_add ?? []).toEqual(name === 'gateway' ? ['NET_BIND_SERVICE'] : []);
    expect(service).not.toHaveProperty('privileged');
  });

  it('does not run as root', () => {
    const user = service.user ?? (dockerfileHas(targetOf(service), /^USER 1000:1000$/m) ? '1000:1000' : undefined);
    expect(user).toMatch(/^(1000:1000|postgres|redis|appuser|nobody|grafana)$/);
  });

  it('has a health check', () => {
    const has = service.healthcheck !== undefined || dockerfileHas(targetOf(service), /^HEALTHCHECK /m);
    expect(has).toBe(!ONCE.includes(name));
  });

  it('has no fixed name, so that several can run', () => {
    expect(service).not.toHaveProperty('container_name');
  });
});

describe('Docker stack', () => {
  it('builds each image from a stage of the Dockerfile, once', () => {
    const built = all.flatMap(([, service]) => (service.build === undefined ? [] : [service]));
    for (const service of built) expect(service.build?.target).toBe(targetOf(service));
    const used = new Set(Object.values(compose.services).flatMap((service) => targetOf(service) ?? []));
    expect(built.map(({ build }) => build?.target).sort()).toEqual([...used].sort());
    for (const target of used) expect(stages.has(target)).toBe(true);
  });

  it('publishes the gateway to everyone, and operator ports only to the host', () => {
    const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(new Set(published.map(([name]) => name))).toEqual(new Set(['gateway', 'prometheus', 'grafana']));
    for (const [name, port] of published.filter(([name]) => name !== 'gateway'))
      expect(`${name} ${port}`).toMatch(/^\w+ 127\.0\.0\.1:/);
  });

  it('isolates database and brokers from the internet and from all but the services', () => {
    expect(compose.networks.data).toEqual({ internal: true });
    for (const name of ['postgres', 'redis', 'kafka']) expect(services[name]?.networks).toEqual(['data']);
    const reached = all.filter(([, { networks = [] }]) => networks.includes('data')).map(([name]) => name);
    expect(reached.sort()).toEqual(
      ['api', 'billing', 'kafka', 'migrate', 'postgres', 'prometheus', 'provisioner', 'redis'].sort(),
    );
    expect(services.gateway?.networks).toEqual(['front']);
  });

  it('lets servers add backups through the gateway, and only the provisioner remove them', () => {
    expect(compose.networks.backups).toEqual({ internal: true });
    const reached = all.filter(([, { networks = [] }]) => networks.includes('backups')).map(([name]) => name);
    expect(reached.sort()).toEqual(['backups', 'provisioner']);
    const { backups, 'backups-hosts': hosts } = services;
    expect(hosts).toMatchObject({
      networks: ['front'],
      command: expect.arrayContaining(['--append-only', '--private-repos']),
      volumes: ['backups:/data', 'backup_access:/access:ro'],
    });
    for (const service of [backups, hosts]) expect(service).toMatchObject({ profiles: ['backups'] });
    expect(backups?.networks).toEqual(['backups']);
    expect(services.provisioner?.volumes).toContain('backup_access:/access');
  });

  it('passes each container only the secrets that it reads', () => {
    const transports = (service: string): string[] => [`kafka_password_${service}`, `redis_password_${service}`];
    const ofTheApi = [
      'account_secrets_keys',
      'jwt_secret',
      'mail_url',
      'stripe_secret_key',
      'stripe_webhook_secret',
      ...CALLBACK_SECRETS.map((name) => name.toLowerCase()),
    ];
    const clouds = [...CLOUD_SECRETS, ...BACKUP_SECRETS, ...PLATFORM_SECRETS].map((name) => name.toLowerCase());
    const database = ['database_url', 'database_service_passwords', 'admin_password'];
    const owner = [...database, ...transports('api'), ...ofTheApi, ...clouds, 'secrets_keys'];
    const expected: Record<string, string[]> = {
      gateway: ['tls_certificate', 'tls_key'],
      api: ['database_url_api', ...transports('api'), ...ofTheApi, 'secrets_keys'],
      provisioner: ['database_url_provisioner', ...transports('provisioner'), ...clouds, 'secrets_keys'],
      billing: ['database_url_billing', ...transports('billing')],
      check: owner,
      migrate: owner,
      postgres: ['postgres_password'],
      redis: ['redis_conf'],
      kafka: ['kafka_admin_properties', 'kafka_properties'],
      backups: ['backup_target_htpasswd'],
      'backups-hosts': [],
      prometheus: [],
      grafana: ['grafana_password'],
    };
    for (const [name, service] of all) expect([name, secretsOf(service)]).toEqual([name, expected[name]?.sort()]);
  });

  it.each(['api', 'provisioner', 'billing', 'check', 'migrate', 'ops'])(
    'passes %s the paths of its secrets, which are all in files',
    (name) => {
      const { environment = {}, ...service } = compose.services[name] as ComposeService;
      const named = SECRET_SETTINGS.flatMap((setting) => {
        const value = environment[`${setting}_FILE`] ?? '';
        // An optional secret has its setting in .env only if stack:init wrote its file.
        return value === `\${${setting}_FILE:-}`
          ? setting.toLowerCase()
          : value === ''
            ? []
            : value.replace('/run/secrets/', '');
      });
      expect(named.sort()).toEqual(secretsOf(service));
      expect(SECRET_SETTINGS.filter((setting) => environment[setting] !== undefined)).toEqual(['REDIS_URL']);
      const login = name === 'provisioner' || name === 'billing' ? name : 'api';
      expect(environment).toMatchObject({ REDIS_URL: `redis://${login}@redis:6379`, KAFKA_USERNAME: login });
    },
  );

  it('permits each service in Kafka only its subscriptions, and publishing only to publishers', () => {
    const access = readFileSync('infra/docker/kafka/access.sh', 'utf8');
    const [, ...lines] = [...access.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(
      ([, name, value = '']) => [name, value] as const,
    );
    const all = /^all='(.*)'$/m.exec(access)?.[1] ?? '';
    const topics = (text: string): string[] =>
      [...text.replace('$all', all).matchAll(/--topic (\w+)\.events/g)].map(([, stream = '']) => stream);
    expect(Object.fromEntries(lines.map(([name, value]) => [name, topics(value)]))).toEqual(SUBSCRIPTIONS);
    for (const service of SERVICES)
      expect(access).toContain(`User:${service} --operation Read $${service} --group moorage.${service}`);
    expect(access.match(/User:\w+(?=.*\\?\n?.*--operation Write)/g)).toEqual(['User:api', 'User:billing']);
  });

  it('stores the ledger seals where the api cannot write', () => {
    const withSeals = Object.entries(compose.services).filter(([, { volumes = [] }]) =>
      volumes.some((volume) => volume.startsWith('seals:')),
    );
    expect(withSeals.map(([name]) => name).sort()).toEqual(['billing', 'check', 'migrate', 'ops']);
    expect(services.billing?.volumes).toEqual(['seals:/data/seals']);
  });

  it('documents each of its own settings in the runbook', () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
    const [, section = ''] = /^## Settings\n([^]*?)\n## /m.exec(readFileSync('docs/runbook.md', 'utf8')) ?? [];
    const [, table = ''] = /\n(\| variable [^]*\|)\n/.exec(section) ?? [];
    const documented = table
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    const ofTheProduct = [...Object.keys(SETTINGS), ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];
    expect(documented.sort()).toEqual([...used].filter((name) => !ofTheProduct.includes(name)).sort());
  });

  it('defines exactly the volumes and secrets that its containers use', () => {
    const containers = Object.values(compose.services);
    const named = containers.flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => /^(\w+):/.exec(volume)?.[1] ?? []),
    );
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
    const secrets = containers.flatMap(secretsOf);
    expect([...new Set(secrets)].sort()).toEqual(Object.keys(compose.secrets).sort());
  });
});
