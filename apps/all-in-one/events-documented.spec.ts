import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { billingHandlers } from '@moorage/billing/testing';
import { EVENTS, SUBSCRIPTIONS } from '@moorage/contracts';
import { buildProvisioner, type ProvisionerParts } from '@moorage/provisioner/testing';

/** Rows of the table in docs/events.md, with cells by column. */
function rows(): Map<string, Readonly<Record<string, string>>> {
  const table = readFileSync('docs/events.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [columns = []] = table;
  return new Map(
    table
      .slice(2)
      .map((cells) => [
        cells[0]?.replaceAll('`', '') ?? '',
        Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? ''])),
      ]),
  );
}

/** Placeholder for a service's dependencies, which are not used before an event arrives. */
const anything: unknown = new Proxy(() => anything, { get: () => anything });

const namesWith = (column: string): string[] =>
  [...rows()].filter(([, cells]) => cells[column] !== '').map(([name]) => name);

describe('event table in docs/events.md', () => {
  it('lists exactly the events of the contract, each with its stream and data fields', () => {
    const listed = [...rows()].map(([name, { stream }]) => [name, stream]);
    expect(listed).toEqual(Object.entries(EVENTS).map(([name, { stream }]) => [name, stream]));
    const missing = Object.entries(EVENTS).flatMap(([name, { data }]) =>
      Object.keys(data.shape).filter((field) => {
        const text = rows().get(name)?.data ?? '';
        return !text.includes(`\`${field}\``) && !(/^ids\b/.test(text) && /^(deployment|user)_id$/.test(field));
      }),
    );
    expect(missing).toEqual([]);
  });

  it('names exactly the files that send each event', () => {
    const product = ['apps', 'libs']
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
      .filter((file) => file.endsWith('.ts') && !/\.(spec|suite)\.ts$|\btesting\b/.test(file));
    const senders = product
      .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => /\bevent\(/.test(text) && text.includes('@moorage/contracts'))
      // Handlers and audit records name events, too.
      .map(({ file, text }) => ({ file, text: text.replaceAll(/@OnEvent\([^)]*\)|action: '[^']*'/g, '') }));
    const wrong = [...rows()].flatMap(([name, cells]) => {
      const listed = [...(cells['sent by'] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      const found = senders.filter(({ text }) => text.includes(`'${name}'`)).map(({ file }) => file);
      if (listed.length === 0 && found.length === 0) return cells['sent by']?.startsWith('nothing yet') ? [] : [name];
      return listed.sort().join() === found.sort().join() ? [] : [`${name}: ${found.join(', ')}`];
    });
    expect(wrong).toEqual([]);
  });

  it('lists exactly the events handled by provisioner and billing', () => {
    const provisioner = buildProvisioner(anything as ProvisionerParts);
    expect(namesWith('provisioner').sort()).toEqual(Object.keys(provisioner.handlers).sort());
    const billing = billingHandlers(anything as Parameters<typeof billingHandlers>[0]);
    expect(namesWith('billing').sort()).toEqual(Object.keys(billing).sort());
  });

  it('lets a service react only to streams that it reads', () => {
    const deaf = (['provisioner', 'billing'] as const).flatMap((service) =>
      namesWith(service).filter((name) => {
        const streams: readonly string[] = SUBSCRIPTIONS[service];
        return !streams.includes(rows().get(name)?.stream ?? '');
      }),
    );
    expect(deaf).toEqual([]);
  });
});
