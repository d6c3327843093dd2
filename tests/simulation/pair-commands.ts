import { Money } from '@moorage/domain';
import type { People } from './pair-people';
import type { PaidBefore } from './stripe';

/** What may meet what: each is one thing somebody or something does to one deployment or to its account. */
export interface Command {
  readonly name: string;
  /** Starts its actors; they move only when the test lets them. */
  readonly start: (on: Scene) => void;
}

/** Where commands act. */
export interface Scene extends People {
  /** The deployment they meet on. */
  readonly subject: number;
  /** A checkout session of the account that waits to be paid. */
  readonly session: string;
  /** The account's first payment. */
  readonly payment: PaidBefore;
  /** In a process of that service that nobody else acts in. */
  tick(service: 'provisioner' | 'billing', name: string): void;
}

const http = (name: string, ask: (on: Scene) => Parameters<People['ask']>[1]): Command => ({
  name,
  start: (on) => on.ask(name, ask(on)),
});

const ticked = (name: string, service: 'provisioner' | 'billing', tick: string): Command => ({
  name,
  start: (on) => on.tick(service, tick),
});

let orders = 0;

export const COMMANDS: readonly Command[] = [
  http('create', () => ({
    method: 'POST',
    path: '/deployments',
    body: {
      server_type: 'new',
      cloud_provider: 'hetzner',
      region: 'fsn1',
      instance_type: 'cpx22',
      package: 'test-page',
      support_level: 1,
      // names are made from the time, which stands still here
      client_id: `order-${++orders}`,
    },
  })),
  http('delete', ({ subject }) => ({ method: 'DELETE', path: `/deployments/${subject}` })),
  http('level up', ({ subject }) => ({
    method: 'PATCH',
    path: `/deployments/${subject}`,
    body: { support_level: 3 },
  })),
  http('level down', ({ subject }) => ({
    method: 'PATCH',
    path: `/deployments/${subject}`,
    body: { support_level: 1 },
  })),
  http('restart', ({ subject }) => ({ method: 'POST', path: `/deployments/${subject}/restart` })),
  http('retry dns', ({ subject }) => ({ method: 'POST', path: `/deployments/${subject}/retry-dns-validation` })),
  http('top-up', ({ session }) => ({
    method: 'POST',
    path: `/stripe/test-checkout/${session}`,
    body: { outcome: 'pay' },
  })),
  // a part of the payment; then more of it, which is told as what was given back in all
  { name: 'refund', start: (on) => on.told('refund', { ...on.payment, cents: 300 }) },
  { name: 'refund more', start: (on) => on.told('refund', { ...on.payment, cents: 500 }) },
  { name: 'dispute', start: (on) => on.told('dispute', on.payment) },
  { name: 'dispute won', start: (on) => on.told('dispute won', on.payment) },
  { name: 'adjust', start: (on) => on.adjust(Money.of(-2)) },
  // what the provisioner has to do next: a start of billing, a certificate, a restart's end, a removal
  ticked('walk', 'provisioner', 'work run'),
  ticked('compare servers', 'provisioner', 'work reconcile-servers'),
  // whatever the clock brings: ends of holds and credits, the night's charges
  ticked('catch up', 'billing', 'catch up'),
  ticked('settle forgotten', 'billing', 'forgotten'),
];
