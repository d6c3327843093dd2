import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { event, type EventData } from '@moorage/contracts';
import { BACKUP_MESSAGES, joined, type RolloutState, UPDATE_MESSAGES } from '@moorage/domain';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let id: number;
let created = 0;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.sql('delete from release_rollouts');
  account = await harness.user();
  await harness.pay(account, 2000);
  const domain = `outcome${created++}.example.com`;
  ({ id } = await ordered(harness, account, { domain, client_name: 'harbour' }));
});

type Ended = EventData<'deployment.update_ended'>;
const UNDONE: Partial<Ended> = {
  outcome: 'undone',
  failure: joined([UPDATE_MESSAGES.taken_back({ version: '1.24.0' }), BACKUP_MESSAGES.restored_unhealthy]),
};
/** Ends an update as the provisioner does, and returns its email on one line. */
async function mailed(change: Partial<Ended>): Promise<{ subject: string | undefined; text: string }> {
  const ended: Ended = {
    deployment_id: id,
    user_id: account.id,
    client_name: 'harbour',
    from: '1.24.0',
    to: '1.24.0-2',
    outcome: 'done',
    is_automatic: false,
    failure: null,
    ...change,
  };
  await others.append(event('deployment.update_ended', id, ended));
  await harness.run();
  const mail = (await harness.mailsTo(account.email)).find(({ subject }) => subject.includes('harbour'));
  return { subject: mail?.subject, text: (mail?.text ?? '').replace(/\s+/g, ' ') };
}
const decided = (state: RolloutState) =>
  harness.database.sql(
    `insert into release_rollouts (package, version, ring, state, counted_from, changed_at)
     values ('pangolin', '1.24.0-2', 'all', $1, now(), now())`,
    [state],
  );

describe('email about a failed update', () => {
  it('begins with the outcome, and then has the reason alone', async () => {
    const { subject, text } = await mailed(UNDONE);
    expect(subject).toBe('The update of harbour to version 1.24.0-2 was undone');
    expect(text).toContain(
      'The update of your deployment harbour to version 1.24.0-2 failed and was undone. The deployment runs version 1.24.0 again, with the data from before the update.',
    );
    expect(text).toContain(`Reason: ${BACKUP_MESSAGES.restored_unhealthy.detail} You can try again in the details:`);
  });

  it.each<[RolloutState, string]>([
    ['rolling', 'You can try again in the details:'],
    ['stopped', 'We will not offer this version again until the cause is known.'],
    ['withdrawn', 'We no longer offer this version.'],
  ])('says what follows when the rollout is %s by then', async (state, expected) => {
    await decided(state);
    const { text } = await mailed(UNDONE);
    expect([text.includes(expected), text.includes('try again')]).toEqual([true, state === 'rolling']);
  });

  it('says that the update was automatic, and that only the owner tries it again', async () => {
    const { text } = await mailed({ ...UNDONE, is_automatic: true });
    expect(text).toContain('The automatic update of your deployment harbour');
    expect(text).toContain('It will not be tried again automatically.');
  });

  it.each<[Ended['outcome'], Ended['failure'], string, string]>([
    ['not_begun', UPDATE_MESSAGES.not_begun, 'harbour was not updated to version 1.24.0-2', 'runs version 1.24.0 as'],
    [
      'not_undone',
      UPDATE_MESSAGES.not_taken_back({ version: '1.24.0' }),
      'harbour does not run after an update',
      'version 1.24.0 could not be started again',
    ],
  ])('distinguishes an update that was "%s", even without a reason', async (outcome, failure, subject, sentence) => {
    const mail = await mailed({ outcome, failure });
    expect(mail).toEqual({ subject, text: expect.stringContaining(sentence) });
    expect(mail.text).not.toContain('Reason:');
  });
});
