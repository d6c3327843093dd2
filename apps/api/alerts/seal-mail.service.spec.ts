import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, iso } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { Mails } from '../mail/mails.service';
import { SealMail } from './seal-mail.service';

describe('email about a ledger seal', () => {
  let api: ApiHarness;
  let admin: TestAccount;
  let sealMail: SealMail;

  beforeEach(async () => {
    api = await apiHarness();
    const { db, clock, box, work } = api.deps;
    sealMail = new SealMail(db, clock, new Mails(clock, box, work));
    admin = await api.admin();
    await api.run();
  });
  afterEach(() => api.close());

  const sealed = (throughId: number, afterId: number) =>
    api.database.sql(
      `insert into ledger_seals (through_id, after_id, day, accounts, hash, stretches, sealed_at)
       values ($1, $2, '2026-12-01', 3, sha256(int4send($3)), '[]', $4)`,
      [throughId, afterId, throughId, iso(api.deps.clock.localNow())],
    );
  const mailed = async (): Promise<string[]> => {
    await sealMail.run();
    await api.run();
    const mails = await api.mailsTo(admin.email);
    return mails.filter(({ subject }) => subject.includes('seal')).map(({ text }) => text);
  };

  it('is sent to administrators once, with the hash and the range it covers', async () => {
    expect(await mailed()).toEqual([]);
    await sealed(10, 0);
    const [first] = await mailed();
    const [row] = await api.database.sql<{ hash: string }>(`select encode(hash, 'hex') as hash from ledger_seals`);
    expect(first).toContain(`Seal: ${row?.hash ?? ''}`);
    expect(first).toContain('Up to transaction 10, 3 accounts');
    expect(await mailed()).toHaveLength(1);
    await sealed(20, 10);
    expect(await mailed()).toHaveLength(2);
  });

  it('is not sent for an old seal', async () => {
    await sealed(10, 0);
    api.pass(2 * DAY_MS + 1);
    expect(await mailed()).toEqual([]);
  });
});
