import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asStored, DAY_MS, MINUTE_MS } from '@moorage/domain';
import { USER } from '../testing/console-fixture';
import { ApiError } from './errors';
import { sendOnce, sentBefore } from './request-key';
import { endSession, forgetSession, startSession } from './session';

const START = Date.parse('2026-11-21T14:18:00.000Z');
beforeEach(() => {
  jest.useFakeTimers({ now: START });
  startSession('a-token', USER);
});
afterEach(forgetSession);

const TARGET = 'refund pay_1';
const FIVE = { amount_cents: 500, reason: 'They asked.' };
const failed = (status: number, code: ApiError['code'] = 'UNKNOWN'): ApiError =>
  new ApiError(status, code, asStored('It failed.'));
const LOST = failed(0, 'NETWORK');

/** Sends the request and returns its key. `error` is the failure to simulate. */
async function send(content: object, { error = null as Error | null, isShown = true, target = TARGET } = {}) {
  let sent = '';
  await sendOnce({ target, content, isShown }, (key) => {
    sent = key;
    return error === null ? Promise.resolve() : Promise.reject(error);
  }).catch(() => undefined);
  return sent;
}

describe('idempotency key of a request', () => {
  it.each([
    ['that was not reached', LOST],
    ['that failed', failed(503)],
    ['that rate limited the request', failed(429)],
    ['that rejected an expired session', failed(401)],
    ['that rejected the request', failed(409)],
  ])('stays the same for a server %s', async (_, error) => {
    const first = await send(FIVE, { error });
    expect(await send(FIVE)).toBe(first);
  });

  it('changes after acceptance, for other content, and for another target', async () => {
    const first = await send(FIVE, { error: LOST });
    expect(await send({ ...FIVE, amount_cents: 600 })).not.toBe(first);
    expect(await send(FIVE, { target: 'refund pay_2' })).not.toBe(first);
    expect(await send(FIVE)).toBe(first);
    expect(await send(FIVE)).not.toBe(first);
  });

  it('expires after the day for which the server stores it', async () => {
    const first = await send(FIVE, { error: LOST });
    jest.setSystemTime(START + DAY_MS);
    expect(await send(FIVE)).not.toBe(first);
  });

  it('is not reused if the server knows it for another request', async () => {
    const first = await send(FIVE, { error: failed(422, 'IDEMPOTENCY_KEY_REUSED') });
    expect(await send(FIVE)).not.toBe(first);
  });

  it('belongs to the newest change if a change replaces others', async () => {
    const up = { support_level: 2 };
    const first = await send(up, { error: LOST, isShown: false });
    await send({ support_level: 1 }, { isShown: false });
    expect(await send(up, { isShown: false })).not.toBe(first);
  });

  it('survives an expired session but no logout', async () => {
    const first = await send(FIVE, { error: LOST });
    endSession();
    startSession('another-token', USER);
    expect(await send(FIVE, { error: LOST })).toBe(first);
    forgetSession();
    startSession('another-token', USER);
    expect(await send(FIVE)).not.toBe(first);
  });

  it('is not available to another account', async () => {
    const first = await send(FIVE, { error: LOST });
    endSession();
    startSession('another-token', { ...USER, id: USER.id + 1 });
    expect(sentBefore(TARGET)).toEqual([]);
    expect(await send(FIVE)).not.toBe(first);
  });

  it('stays the same until logout in a browser without storage', async () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('storage is switched off');
    });
    const first = await send(FIVE, { error: LOST });
    expect(await send(FIVE, { error: LOST })).toBe(first);
    forgetSession();
    startSession('a-token', USER);
    expect(await send(FIVE)).not.toBe(first);
  });
});

describe('earlier requests', () => {
  it('include those without a response, and for ten minutes the accepted ones, newest first', async () => {
    await send(FIVE);
    jest.setSystemTime(START + MINUTE_MS);
    const six = { ...FIVE, amount_cents: 600 };
    await send(six, { error: LOST });
    await send({ ...FIVE, amount_cents: 700 }, { error: failed(409) });
    expect(sentBefore(TARGET)).toEqual([
      { content: six, at: '2026-11-21T14:19:00.000Z', isAccepted: false },
      { content: FIVE, at: '2026-11-21T14:18:00.000Z', isAccepted: true },
    ]);
    jest.setSystemTime(START + 10 * MINUTE_MS);
    expect(sentBefore(TARGET)).toMatchObject([{ content: six }]);
    expect(sentBefore('refund pay_2')).toEqual([]);
  });

  it('are limited to twenty, and keys that are still needed are dropped last', async () => {
    const lost = await send(FIVE, { error: LOST });
    for (let cents = 1; cents <= 30; cents++) await send({ ...FIVE, amount_cents: cents });
    expect(sentBefore(TARGET)).toHaveLength(20);
    expect(sentBefore(TARGET).at(-1)).toMatchObject({ content: FIVE, isAccepted: false });
    expect(await send(FIVE)).toBe(lost);
    for (let cents = 1; cents <= 30; cents++) await send({ ...FIVE, amount_cents: cents }, { error: LOST });
    expect(sentBefore(TARGET)).toHaveLength(20);
    expect(sentBefore(TARGET)).not.toContainEqual(expect.objectContaining({ isAccepted: true }));
  });
});
