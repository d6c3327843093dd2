import type { HoldingKind } from '@moorage/domain';
import type { HoldingPlace } from '@moorage/provisioner/clouds/holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

/** A resource left behind at a fake provider. */
export interface Planted {
  readonly kind: HoldingKind;
  readonly installation: string;
  /** Whether a server or another resource uses it. */
  readonly used?: boolean;
}

/** Resources of a fake provider besides servers, in the same form for all providers. */
export interface FakeHoldings {
  /**
   * Kinds that can carry our label or name at this provider, with the cost of a planted resource in micro-dollars per
   * day.
   */
  readonly prices: Readonly<Partial<Record<HoldingKind, number>>>;
  /** Kinds that can be in use. */
  readonly usable: readonly HoldingKind[];
  /** Plants a resource and returns its place. */
  plant(thing: Planted): HoldingPlace;
  has(place: HoldingPlace): boolean;
}

/** Items by id, in a separate map or in the fake's own. */
export interface Things {
  get(id: string): object | undefined;
  delete(id: string): unknown;
}

export const thingsIn = <T extends { readonly id: string | number }>(
  all: T[],
  show: (one: T) => object = (one) => one,
): Things => ({
  get(id) {
    const found = all.find((one) => String(one.id) === id);
    return found === undefined ? undefined : show(found);
  },
  delete(id) {
    const at = all.findIndex((one) => String(one.id) === id);
    if (at >= 0) all.splice(at, 1);
  },
});

/** Serves the URLs of single items, for reading and deleting them. */
export function serveThings(
  http: FakeHttp,
  path: string,
  things: Things,
  {
    one,
    missing,
    deleted = { status: 204 },
  }: {
    readonly one: (item: object) => Answer;
    readonly missing: () => FakeRefusal;
    readonly deleted?: Answer;
  },
): void {
  const idOf = ({ params }: FakeRequest): string => String(params.thing);
  const found = (request: FakeRequest): object => {
    const item = things.get(idOf(request));
    if (item === undefined) throw missing();
    return item;
  };
  http
    .on('GET', `${path}/:thing`, null, (request) => one(found(request)))
    .on('DELETE', `${path}/:thing`, null, (request) => {
      found(request);
      things.delete(idOf(request));
      return deleted;
    });
}
