import type { SuiteFault } from '../../suites/cloud.suite';
import type { FakeHoldings } from './fake-holdings';
import type { FakeCloud } from './fake-http';
import type { FakeServer, FleetOptions } from './fleet';

/** Firewalls of a fake provider, in the same form for all providers. */
export interface FakeRules {
  /** Returns the ports open on this server, such as `tcp 22`. */
  openTo(server: FakeServer): readonly string[];
  /** An administrator additionally opens `tcp 8443`, which is not ours. */
  widen(): void;
  /** An administrator closes `tcp 443`. */
  narrow(): void;
  /**
   * An administrator deletes the firewall, or all of its rules if the provider does not allow deleting a firewall in
   * use.
   */
  remove(): void;
}

/** A running fake and the settings that lead to it. */
export interface RunningFake {
  readonly fake: FakeCloud & { readonly holdings: FakeHoldings };
  /** Credentials and addresses. */
  readonly settings: Readonly<Record<string, string>>;
  /** Secret in the settings, or a line of it, which must not appear in any log or row. */
  readonly secret: string;
  readonly rules: FakeRules;
  /**
   * Lists the parts of a server without the server itself, if the provider may do so. Returns a function that ends
   * this.
   */
  readonly showPart?: (server: FakeServer) => () => void;
}

/** A live provider in tests. */
export interface LiveFake {
  readonly region: string;
  readonly instance_type: string;
  readonly larger: string;
  readonly shrinks?: false;
  /** Hourly price of that size for a customer with a margin of 10 %, in USD. */
  readonly hourly: number;
  readonly faults: readonly SuiteFault[];
  /** Published description of its HTTP API in `tests/clouds/descriptions`, or null if there is none. */
  readonly description: string | null;
  /** One of the permissions that are checked. */
  readonly right: string;
  /** One of the limits that are reported while a server exists, or null if the provider reports none. */
  readonly quota: object | null;
  readonly run: (options: FleetOptions & { readonly page: number }) => Promise<RunningFake>;
}
