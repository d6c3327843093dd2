import { CLOUD_NAMES, type CloudName } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';

export const CLOUD_CALLBACKS_PATH = '/webhooks/clouds';

export const CLOUD_CALLBACKS_CALLS = {
  receive: {
    operation: 'receiveCloudCallback',
    method: 'POST',
    path: `${CLOUD_CALLBACKS_PATH}/{provider}`,
    summary: 'Receive a callback of a cloud provider or server',
    description:
      'Events from AWS, Azure and Google Cloud, and the first call of a new server. Verified before it is read. Only schedules a check.',
    access: 'webhook',
    plain_text: true,
    params: z.object({ provider: z.enum(CLOUD_NAMES as [CloudName, ...CloudName[]]) }),
    /** Key of Azure's events, which Azure can only send in the URL. */
    query: z.object({ key: z.string().max(200).optional() }),
    status: 200,
    answer: z.union([
      z.object({ received: z.literal(true) }),
      /** Confirms the subscription to Azure. */
      z.object({ validationResponse: z.string() }),
    ]),
    errors: ['SIGNATURE_INVALID', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    limit: 'cloud_callback',
  },
} as const satisfies Record<string, Call>;
