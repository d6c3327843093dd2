import { z } from 'zod';
import type { ServerLabels } from '../cloud';
import type { Holding, Shelf } from '../holdings';
import type { CloudHttp } from './cloud-http';
import { labelsOfTags, OURS } from './flat-tags';

/** The facts of an item. Absent fields mean no region, no user and no charge. */
export interface HoldingFacts extends Partial<Pick<Holding, 'region' | 'used_by' | 'micros_per_day'>> {
  readonly id: string | number;
  readonly name: string;
  readonly labels: Partial<ServerLabels>;
}

/** A list of a REST API. Each of its items can be read and deleted at its own URL. */
export interface RestShelf<T, Prices = null> {
  readonly kind: Holding['kind'];
  /** Path below the root of the API. An item of `volumes` has the id `volumes/12`. */
  readonly path: string;
  /** Response fields with the list and with a single item. Null if the response is the item itself. */
  readonly list: string;
  readonly one: string | null;
  readonly item: z.ZodType<T>;
  readonly facts: (item: T, prices: Prices) => HoldingFacts;
}

export interface RestApi<Prices = null> {
  readonly http: CloudHttp;
  /** Path between the API's host and the list, for example `/v2/`. */
  readonly root: string;
  /** Returns at least the items that carry the label of this installation. */
  readonly pages: <T>(
    shelf: Pick<RestShelf<T, Prices>, 'path' | 'list' | 'item'>,
    installation: string,
    signal: AbortSignal | undefined,
  ) => Promise<T[]>;
  readonly prices: Prices;
}

export const restShelf =
  <T, Prices = null>(shelf: RestShelf<T, Prices>) =>
  ({ http, root, pages, prices }: RestApi<Prices>): Shelf => {
    const { kind, item, one, facts } = shelf;
    const prefix = `${shelf.path}/`;
    const holdingOf = (found: T): Holding => {
      const { id, ...rest } = facts(found, prices);
      return { kind, region: '', used_by: null, micros_per_day: 0, ...rest, id: `${prefix}${id}` };
    };
    const addressOf = (id: string): string => `${root}${prefix}${encodeURIComponent(id.slice(prefix.length))}`;
    const answer = one === null ? item : z.object({ [one]: item }).transform((wrapped) => wrapped[one] as T);
    return {
      kind,
      holds: (id) => id.startsWith(prefix),
      list: async (installation, signal) => (await pages(shelf, installation, signal)).map(holdingOf),
      async read({ id }, signal) {
        const found = await http.find(addressOf(id), { answer, signal });
        return found === null ? null : holdingOf(found);
      },
      async delete({ id }, signal) {
        await http.remove(addressOf(id), { signal });
      },
    };
  };

/**
 * Returns our labels from the name of a resource that its provider does not label. The name is
 * `moorage-i-<installation>`, optionally followed by `-` and more.
 */
export function labelsOfName(name: string): Partial<ServerLabels> {
  const installation = /^moorage-i-([a-z0-9]+)(?:-|$)/.exec(name)?.[1];
  return installation === undefined ? {} : { 'managed-by': 'moorage', installation };
}

/** Returns our labels from the tags, or from the name of a resource without tags. */
export const labelsOf = (tags: readonly string[] | null | undefined, name: string): Partial<ServerLabels> =>
  tags == null || tags.length === 0 ? labelsOfName(name) : labelsOfTags([OURS, ...tags]);
