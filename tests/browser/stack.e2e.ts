import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { MAIN_APPEARANCE, withBrowser } from './browser';
import { newcomerInTheBrowser } from './first-deployment';
import { eventuallyHolds } from '../crash/state-after-crash';
import { LONG_MS } from '../crash/kill';
import { firstDeployment } from '../journeys/first-deployment';
import { until } from '../journeys/customer';
import { ACME_SETTINGS, certificateOf, CONSOLE_NAME, startAuthority } from '../stack/authority';
import { journeyOfSecrets } from '../stack/canaries';
import { runQueries } from '../stack/queries';
import { readSecret, type Stack, startStack } from '../stack/stack';

const run = promisify(execFile);
const PROMETHEUS = 'http://127.0.0.1:9090';
const SECRETS_MIN = 40;

const there = withBrowser(() => startStack());

describe('Docker stack', () => {
  it(
    'takes a user from sign-up to a destroyed deployment, through the gateway over TLS',
    async () => {
      const { product: stack } = there();
      await firstDeployment(stack, 'ada');
      expect(stack.log()).toContain('"events":"kafka","work":"bull"');
      expect(await stack.ops('billing:audit')).toMatchObject({ code: 0 });
    },
    LONG_MS,
  );

  newcomerInTheBrowser(there, { looks: [MAIN_APPEARANCE] });

  it(
    'leaves no secret in a topic, Redis, a log or a metric',
    async () => {
      const { product: stack } = there();
      const monitor = await monitorRedis(stack);
      const secrets = await journeyOfSecrets(stack, 'bob');
      expect(secrets.length).toBeGreaterThanOrEqual(SECRETS_MIN);
      expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
      const jobs = await monitor.end();
      expect(jobs).toContain('send-mail');
      const metrics = (
        await Promise.all((['api', 'provisioner', 'billing'] as const).map((service) => stack.metrics(service)))
      )
        .flat()
        .join();
      const logs = await stack.compose('logs', '--no-color');
      expect(logs).toContain('"correlation_id"');
      expect(metrics).toContain('moorage_run_step_duration_seconds_count');
      for (const [where, text] of Object.entries({ jobs, metrics, logs }))
        expect([where, [...secrets, 'PRIVATE KEY'].filter((secret) => text.includes(secret))]).toEqual([where, []]);
      expect(await topicsWith(stack, 'deployment.created')).not.toEqual([]);
      for (const secret of [...secrets, 'PRIVATE KEY']) expect(await topicsWith(stack, secret)).toEqual([]);
      await eventuallyHolds(stack);
    },
    LONG_MS,
  );

  it(
    'is monitored by Prometheus, with rules and dashboards that query existing series',
    async () => {
      const { product: stack } = there();
      const rules = join(process.cwd(), 'infra/observability');
      const check = [
        'run',
        '--rm',
        '--volume',
        `${rules}:/o:ro`,
        '--entrypoint',
        'sh',
        'prom/prometheus:v3.5.0',
        '/o/check.sh',
      ];
      await run('docker', check);
      await stack.compose('--profile', 'observability', 'up', '--detach', '--pull=never', '--wait', 'prometheus');
      await until(
        'three targets',
        async () => await query('sum(up{job=~"api|provisioner|billing"})'),
        (value) => value === '3',
      );
      // Panels and rules that only show problems have no results.
      await until(
        'results of what the dashboards ask',
        async () =>
          (await runQueries(PROMETHEUS)).filter(
            ({ from, expression }) => from.includes(':') && !/> 0|outcome="failed"|ALERTS/.test(expression),
          ),
        (queries) => queries.length === 0,
      );
      process.stdout.write('Grafana: not run: there is no image of it here; its queries were asked of Prometheus\n');
    },
    LONG_MS,
  );
});

describe('Docker stack with its own domain name', () => {
  it(
    'gets its certificate from an ACME authority',
    async () => {
      const { product: stack } = there();
      const authority = await startAuthority(stack);
      try {
        await stack.change(ACME_SETTINGS);
        const certificate = await until(
          'a certificate of the authority',
          () => certificateOf(CONSOLE_NAME),
          (shown) => String(shown?.issuer.CN).startsWith('Pebble'),
        );
        expect(certificate?.subjectaltname).toBe(`DNS:${CONSOLE_NAME}`);
        const answer = await fetch('http://127.0.0.1/help', { redirect: 'manual' });
        expect(answer.headers.get('location')).toBe(`https://${CONSOLE_NAME}/help`);
        const call = await fetch('http://127.0.0.1/api/catalog', { redirect: 'manual' });
        expect([call.status, await call.json()]).toEqual([
          403,
          { detail: 'This API is served over https only.', code: 'HTTPS_REQUIRED' },
        ]);
      } finally {
        authority.stop();
      }
    },
    LONG_MS,
  );
});

async function query(expression: string): Promise<string | undefined> {
  const answer = await fetch(`${PROMETHEUS}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expression }),
  });
  const { data } = (await answer.json()) as { data?: { result: { value: [number, string] }[] } };
  return data?.result[0]?.value[1];
}

/** Records all commands that Redis receives from now on. */
async function monitorRedis(stack: Stack): Promise<{ end(): Promise<string> }> {
  const [id = ''] = await stack.containers('redis');
  const password = (await readSecret(stack.folder, 'redis_password')).trim();
  const child = spawn('docker', ['exec', '--env', `REDISCLI_AUTH=${password}`, id, 'redis-cli', 'monitor']);
  let reported = '';
  child.stdout.on('data', (chunk) => (reported += String(chunk)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until(
    'the monitor',
    () => Promise.resolve(reported),
    (text) => text.startsWith('OK'),
  );
  return {
    async end() {
      child.kill();
      await ended;
      return reported;
    },
  };
}

/** Returns files of the broker's topics that contain this text. Messages are not compressed. */
async function topicsWith(stack: Stack, text: string): Promise<string[]> {
  const pattern = join(stack.folder, 'pattern');
  await writeFile(pattern, text);
  const found = await run('grep', ['-rlF', '-f', pattern, await stack.mountOf('kafka')]).catch(
    (error: { code: number }) => {
      if (error.code !== 1) throw error;
      return { stdout: '' };
    },
  );
  return found.stdout.split('\n').filter((line) => line !== '');
}
