import { expect, it } from '@jest/globals';
import type { AdminCounts, AdminOverviewAnswer } from '@moorage/contracts';
import { freePort } from '@moorage/server';
import { person } from './customer';
import { firstDeployment, noonOffset } from './first-deployment';
import { type Product, startProduct } from './product';

const SERVICES = ['api', 'provisioner', 'billing'] as const;
type Service = (typeof SERVICES)[number];

/** Metrics that a process must have measured once there was a deployment. */
const MEASURED: Readonly<Record<Service, readonly RegExp[]>> = {
  api: [
    /^moorage_http_request_duration_seconds_count\{.*route="\/api\/deployments\/\{id\}",status="200"\} [1-9]/m,
    /^moorage_event_handling_duration_seconds_count\{.*outcome="handled"\} [1-9]/m,
    /^moorage_work_step_duration_seconds_count\{.*kind="send-mail",outcome="done"\} [1-9]/m,
  ],
  provisioner: [
    /^moorage_run_step_duration_seconds_count\{.*step="finish",provider="hetzner",outcome="done"\} [1-9]/m,
    /^moorage_work_step_duration_seconds_count\{.*kind="run",outcome="again"\} [1-9]/m,
  ],
  billing: [
    /^moorage_charges_total\{how="settled",service="billing"\} [1-9]/m,
    /^moorage_event_handling_duration_seconds_count\{.*outcome="handled"\} [1-9]/m,
    /^moorage_deployments\{status="READY",service="billing"\} 0$/m,
    /^moorage_audit_breaches\{service="billing"\} 0$/m,
  ],
};

it('reports readiness and metrics of each process to operators', async () => {
  const product = await startProduct([], { LAB_CLOCK_OFFSET_MS: noonOffset() });
  const addresses = new Map<Service, string>();
  try {
    for (const service of SERVICES) {
      const port = String(await freePort());
      addresses.set(service, `http://127.0.0.1:${port}`);
      await product.spawn(service, { OPERATIONS_PORT: port });
    }
    await firstDeployment(product, 'ada');
    for (const [service, address] of addresses) {
      for (const path of ['/health/live', '/health/ready'])
        expect([service, path, (await fetch(`${address}${path}`)).status]).toEqual([service, path, 200]);
      const text = await (await fetch(`${address}/metrics`)).text();
      for (const measured of MEASURED[service]) expect(text).toMatch(measured);
      expect(text).toContain(`moorage_transport_up{carries="work",transport="postgresql",service="${service}"} 1`);
      expect(text).not.toMatch(/ada|example\.com/);
    }
    await showsAdministrators(product);
    await refusesSecond(product, addresses.get('billing') ?? '');
  } finally {
    await product.stop();
  }
}, 600_000);

/** After the first deployment has been charged and removed, its money and account appear on the overview. */
async function showsAdministrators(product: Product): Promise<void> {
  const admin = person(product, 'admin@moorage.localhost', 'journey-admin');
  await admin.login();
  const { body, status } = await admin.call<AdminOverviewAnswer>('GET', '/admin/overview?period=24h');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    attention: [],
    deployments: { running: 0, failed: 0 },
    money: { paid: 20, payments: 1, taken_back: 0, charged_before: 0 },
    checks: { is_late: false, transports: { events: 'postgresql', work: 'postgresql', troubles: [] } },
  });
  expect(body.money.charged).toBeGreaterThan(0);
  expect(body.signups.verified).toBeGreaterThanOrEqual(1);
  const counts = await admin.call<AdminCounts>('GET', '/admin/counts');
  expect(counts.body).toMatchObject({ urgent: 0, failed_deployments: 0, conversations: { open: 0 } });
}

async function refusesSecond(product: Product, address: string): Promise<void> {
  const { port } = new URL(address);
  await expect(product.spawn('billing', { OPERATIONS_PORT: port })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another program: stop that one, or set OPERATIONS_PORT`,
  );
}
