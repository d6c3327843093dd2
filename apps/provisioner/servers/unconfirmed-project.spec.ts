import { expect, it } from '@jest/globals';
import { STEP_MESSAGES } from '@moorage/domain';
import { fixturesOfSuite } from '@moorage/tests/services/provisioner/fixture';

const openFixture = fixturesOfSuite();

it('creates no server in an unconfirmed live project, and continues once it is confirmed', async () => {
  const fixture = await openFixture();
  const actor = await fixture.actor({ options: { isLive: (provider) => provider === 'hetzner' } });
  const id = await fixture.order();
  await fixture.settle(actor);
  expect(fixture.memory.living()).toEqual([]);
  expect(actor.reported.join()).toContain(STEP_MESSAGES.cloud_unconfirmed.detail);
  await fixture.database.sql('update provider_breakers set confirmed_project_id = project_id');
  await fixture.until(actor, id, 'READY');
  expect(fixture.memory.living()).toHaveLength(1);
});

it('cancels an order whose project is never confirmed, without a charge', async () => {
  const fixture = await openFixture();
  const actor = await fixture.actor({ options: { isLive: () => true } });
  const id = await fixture.order();
  const row = await fixture.until(actor, id, 'FAILED');
  expect([row.failure_code, row.billable_from]).toEqual([STEP_MESSAGES.cloud_unconfirmed.code, null]);
  expect(fixture.memory.living()).toEqual([]);
});
