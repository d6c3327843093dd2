import type { Instant } from '@moorage/domain';

/** A callback as received, before any verification. */
export interface CallbackRequest {
  readonly bytes: Buffer;
  readonly header: (name: string) => string | undefined;
  /** Key in the query of the address. */
  readonly key: string | undefined;
}

/** Reports that something happened to servers. The details are not read. */
export interface CloudEvent {
  /** Id of the message, the same at each delivery. */
  readonly id: string;
  readonly sentAt: Instant;
  /** Values of `servers.provider_server_id`. Empty if the event concerns no server. */
  readonly serverIds: readonly string[];
}

/** `validation` is the code that proves to Azure that the address belongs to us. */
export type VerifiedCallback = { readonly events: readonly CloudEvent[] } | { readonly validation: string };

/** Thrown for a callback that was not sent by the provider, or not for this installation. */
export class CallbackRefused extends Error {
  override readonly name = 'CallbackRefused';
  /** A constant for the log, never a part of the request. */
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** Verifies the callbacks of one provider. */
export interface CallbackSource {
  /** Throws CallbackRefused. */
  verify(request: CallbackRequest, now: Instant): Promise<VerifiedCallback>;
}

/** Parses JSON of a callback. Returns null for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
