import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CONNECT_NAME_SERVICE, connectHosts, connectLabels, connectTemplate } from '@moorage/domain';
import { z } from 'zod';
import { readPackages } from '../catalogue/packages';

const FOLDER = 'infra/domain-connect';
/** Operators replace it with their own id before they publish the files. */
const PROVIDER = { id: 'moorage.example', name: 'Moorage' };
const packages = readPackages({ folder: 'infra/packages', production: true }).listed();
const services = [
  { id: CONNECT_NAME_SERVICE, name: 'Further domain', labels: null },
  ...packages.map((facts) => ({ id: facts.name, name: facts.display_name, labels: connectLabels(facts) })),
];
const fileOf = (service: string): string => `${PROVIDER.id}.${service}.json`;
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

const id = z.string().regex(/^[a-z0-9.-]{1,64}$/);
const plain = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^%]+$/);
/** The rules of the published schema (template.schema) and of the specification for the parts that we use. */
const template = z.strictObject({
  providerId: id,
  providerName: plain,
  serviceId: id,
  serviceName: plain,
  version: z.int().min(1),
  description: plain,
  variableDescription: plain,
  syncBlock: z.boolean(),
  warnPhishing: z.boolean(),
  hostRequired: z.boolean(),
  records: z
    .array(
      z.strictObject({
        type: z.enum(['A', 'AAAA']),
        groupId: z.string().regex(/^[a-z0-9-]+$/),
        // Variables in hosts are for proofs of ownership only.
        host: z.string().regex(/^(@|\*|[a-z0-9]([a-z0-9-]*[a-z0-9])?)$/),
        pointsTo: z.literal('%IP%'),
        ttl: z.int().min(60).max(86_400),
      }),
    )
    .min(1),
});

describe('Domain Connect templates', () => {
  it('exist for each package and for a further domain', () => {
    expect(
      readdirSync(FOLDER)
        .filter((file) => file.endsWith('.json'))
        .sort(),
    ).toEqual(services.map((service) => fileOf(service.id)).sort());
  });

  it.each(services)('for $id follows the specification and the manifest', (service) => {
    const text = textOf(fileOf(service.id));
    const parsed = template.parse(JSON.parse(text));
    expect(`${JSON.stringify(connectTemplate(PROVIDER, service), null, 2)}\n`).toBe(text);
    const groups = parsed.records.map(({ groupId }) => groupId);
    expect(new Set(groups).size).toBe(groups.length);
    const hosts = service.labels?.map((label) => `${label}.example.com`) ?? ['example.com'];
    expect(connectHosts(connectTemplate(PROVIDER, service), 'example.com')).toEqual(hosts);
  });
});
