import type { HoldingKind } from '@moorage/domain';
import type { HoldingPlace } from '../../clouds/holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

/** What somebody left behind at a fake provider. */
export interface Planted {
  readonly kind: HoldingKind;
  readonly installation: string;
  /** A server or something else uses it. */
  readonly used?: boolean;
}

/** What a fake provider holds besides servers, in one form for all. */
export interface FakeHoldings {
  /** The kinds that can carry a label or name of ours there, with what a planted one costs in micro-dollars a day. */
  readonly prices: Readonly<Partial<Record<HoldingKind, number>>>;
  /** Kinds that can be in use. */
  readonly usable: readonly HoldingKind[];
  /** Plants one and returns where it is. */
  plant(thing: Planted): HoldingPlace;
  has(place: HoldingPlace): boolean;
}

/** Items by their id: a map of their own, or those that the fake has anyway. */
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

/** The addresses of single items: to read and to delete one. */
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
