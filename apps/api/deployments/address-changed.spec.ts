import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DeploymentAnswer, event } from '@moorage/contracts';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';

const FROM = '203.0.113.41';
const TO = '203.0.113.77';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let deployment: DeploymentAnswer;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2_000);
  deployment = await ordered(harness, account);
  await others.moveTo(
    deployment.id,
    'PROVISIONING',
    ['DNS_VALIDATION', { server_exists: true, instance_ip: FROM }],
    'READY',
  );
});

/** Changes the address as the provisioner does after a change at the provider. */
async function addressChanged(hosts: string[]): Promise<void> {
  const { id, client_name, user_id } = deployment;
  const data = { deployment_id: id, user_id, client_name, from: FROM, to: TO, hosts };
  await others.append(event('deployment.address_changed', id, data));
  await harness.run();
}
const mails = async () => (await harness.mailsTo(account.email)).filter(({ text }) => text.includes(TO));

describe('server with a changed public address', () => {
  it('notifies its owner of the names whose records have to change', async () => {
    await addressChanged(['admin.example.com', 'www.example.com']);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`${deployment.client_name} has a new address`);
    const text = mail?.text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`from ${FROM} to ${TO}`);
    expect(text).toContain(`won't work until their A records point to ${TO}: admin.example.com, www.example.com.`);
  });

  it('notifies a German owner in German, without names when there is no domain', async () => {
    await harness.database.sql(`update users set language = 'de' where id = $1`, [account.id]);
    await addressChanged([]);
    const [mail] = await mails();
    expect(mail?.subject).toBe(`${deployment.client_name} hat eine neue Adresse`);
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(`von ${FROM} in ${TO}`);
    expect(mail?.text).not.toContain('A-Einträge');
  });

  it('is charged while it waits for its records, is validated again, and returns to READY at the same price', async () => {
    const before = await harness.database.sql('select billable_from, billable_to from deployments where id = $1', [
      deployment.id,
    ]);
    await others.moveTo(deployment.id, ['DNS_VALIDATION', { instance_ip: TO }], 'READY');
    await harness.run();
    expect(
      await harness.database.sql('select billable_from, billable_to from deployments where id = $1', [deployment.id]),
    ).toEqual(before);
    const { body } = await harness.http.get(`/api/deployments/${deployment.id}`).set(account.auth);
    expect(body).toMatchObject({ status: 'READY', instance_ip: TO });
  });
});
