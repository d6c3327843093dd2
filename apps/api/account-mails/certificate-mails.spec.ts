import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event } from '@moorage/contracts';
import { CERTIFICATE_MESSAGES, type Message, STEP_MESSAGES } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('emails about a deployment without a certificate', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    jane = await api.user('jane');
  });
  afterAll(() => api.close());

  const failed = async (id: number, failure: Message): Promise<void> => {
    await api.database.sql(
      `insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
         instance_hourly_micros, status, created_at, updated_at)
       values ($1, $2, $3, $3, $3, 'pangolin', 'new', 1, 35600, 'DNS_FAILED', now(), now()) on conflict (id) do nothing`,
      [id, jane.id, `shop-${id}`],
    );
    await api.deps.db.tx('test.event', (tx) =>
      api.deps.outbox.append(
        tx,
        event('deployment.status_changed', id, {
          deployment_id: id,
          user_id: jane.id,
          client_name: `shop-${id}`,
          package: 'pangolin',
          from: 'DNS_VALIDATION',
          to: 'DNS_FAILED',
          failure_reason: failure.detail,
          failure,
          version: 2,
          billable_from: null,
          billable_to: null,
        }),
      ),
    );
    await api.run();
  };
  const templates = async (): Promise<string[]> =>
    (
      await api.database.sql<{ template: string }>(
        `select template from mails where recipient = $1 and template like 'deployment%' order by id`,
        [jane.email],
      )
    ).map(({ template }) => template);

  it('are sent once a day, although each automatic attempt fails', async () => {
    const refused = CERTIFICATE_MESSAGES.refused_rate({ host: 'admin.example.com' });
    await failed(901, refused);
    await failed(901, refused);
    expect(await templates()).toEqual(['deployment_certificate_refused']);
  });

  it('are not sent for wrong records, which have their own', async () => {
    await failed(902, STEP_MESSAGES.validate_dns);
    expect((await templates()).at(-1)).toBe('deployment_dns_failed');
  });
});
