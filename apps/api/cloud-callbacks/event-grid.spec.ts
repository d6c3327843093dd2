import { describe, expect, it } from '@jest/globals';
import { instant, iso } from '@moorage/domain';
import { EventGridCallbacks } from './event-grid';
import { requestOf } from '@moorage/tests/services/api/callback-signing';

const NOW = instant('2026-12-01T10:00:00Z');
const KEY = 'k'.repeat(40);
const GROUP = '/subscriptions/0000/resourceGroups/RG-moorage-ref1';
const event = (subject: string, id = 'one', data: object = {}) => ({ id, eventTime: iso(NOW), subject, data });
const source = new EventGridCallbacks(KEY);

describe('Azure Event Grid events', () => {
  it.each([
    ['a virtual machine', `${GROUP}/providers/Microsoft.Compute/virtualMachines/vm`, ['moorage-ref1']],
    ['the group of a server', GROUP, ['moorage-ref1']],
    ['a network card', `${GROUP}/providers/Microsoft.Network/networkInterfaces/nic`, []],
    ['another group', '/subscriptions/0000/resourceGroups/other', []],
  ])('are parsed for %s', async (_, subject, serverIds) => {
    expect(await source.verify(requestOf([event(subject)], {}, KEY))).toEqual({
      events: [{ id: 'one', sentAt: NOW, serverIds }],
    });
  });

  it('are accepted with the key in the URL or in a header', async () => {
    const request = requestOf([event(GROUP)], { 'moorage-callback-key': KEY });
    expect(await source.verify(request)).toMatchObject({ events: [{ id: 'one' }] });
  });

  it('start with a handshake, which is answered only with the correct key', async () => {
    const handshake = [event('', 'one', { validationCode: 'CODE' })];
    const headers = { 'aeg-event-type': 'SubscriptionValidation' };
    expect(await source.verify(requestOf(handshake, headers, KEY))).toEqual({ validation: 'CODE' });
    await expect(source.verify(requestOf(handshake, headers))).rejects.toMatchObject({ reason: 'key' });
  });

  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['half the key', KEY.slice(1)],
    ['another key', `${KEY.slice(1)}x`],
  ])('are rejected with %s', async (_, key) => {
    await expect(source.verify(requestOf([event(GROUP)], {}, key))).rejects.toMatchObject({ reason: 'key' });
  });

  it.each([
    ['not a list', event(GROUP)],
    ['an empty list', []],
    ['an endless list', Array.from({ length: 501 }, (_, i) => event(GROUP, String(i)))],
    ['not JSON', 'hello'],
  ])('are rejected when they are %s', async (_, body) => {
    await expect(source.verify(requestOf(body, {}, KEY))).rejects.toMatchObject({ reason: 'malformed' });
  });
});
