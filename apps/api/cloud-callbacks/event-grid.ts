import { z } from 'zod';
import { sameText } from '../http/same-text';
import {
  CallbackRefused,
  type CallbackRequest,
  type CallbackSource,
  jsonOf,
  type VerifiedCallback,
} from './callback-source';

/** The maximum batch size of Event Grid. The default is one event. */
const EVENTS_MAX = 500;
const KEY_HEADER = 'moorage-callback-key';

const events = z
  .array(
    z.object({
      id: z.string().min(1).max(200),
      eventTime: z.string(),
      subject: z.string().max(2_000),
      data: z.object({ validationCode: z.string().max(500).optional() }),
    }),
  )
  .min(1)
  .max(EVENTS_MAX);

/** Azure's capitalisation of names varies. */
const SERVER =
  /^\/subscriptions\/[^/]+\/resourcegroups\/rg-([a-z0-9-]{1,90})(?:\/providers\/microsoft\.compute\/virtualmachines\/[^/]+)?$/;

/** Verifies events of Azure Event Grid, which is configured with a key of ours. */
export class EventGridCallbacks implements CallbackSource {
  constructor(private readonly key: string) {}

  verify({ bytes, header, key }: CallbackRequest): Promise<VerifiedCallback> {
    if (!sameText(this.key, header(KEY_HEADER) ?? key ?? '')) return Promise.reject(new CallbackRefused('key'));
    const parsed = events.safeParse(jsonOf(bytes.toString('utf8')));
    if (!parsed.success) return Promise.reject(new CallbackRefused('malformed'));
    const code = parsed.data[0]?.data.validationCode;
    if (header('aeg-event-type') === 'SubscriptionValidation' && code !== undefined)
      return Promise.resolve({ validation: code });
    return Promise.resolve({
      events: parsed.data.map(({ id, eventTime, subject }) => {
        const server = SERVER.exec(subject.toLowerCase())?.[1];
        return { id, sentAt: Date.parse(eventTime), serverIds: server === undefined ? [] : [server] };
      }),
    });
  }
}
