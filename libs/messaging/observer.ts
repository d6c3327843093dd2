import type { Ran } from './work';

/** Receives what a started messaging did and how long it took. Its methods must not throw or block. */
export interface MessagingObserver {
  readonly published: (events: number) => void;
  readonly handled: (handled: {
    readonly event: string;
    readonly outcome: 'handled' | 'retry' | 'parked';
    readonly took_ms: number;
  }) => void;
  readonly worked: (worked: {
    readonly kind: string;
    readonly outcome: Exclude<Ran, 'not_due'>;
    readonly took_ms: number;
  }) => void;
}
