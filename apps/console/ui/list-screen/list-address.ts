import { useLocation, useSearchParams } from 'react-router-dom';

export interface ListAddress {
  readonly page: number;
  /** The value of a parameter if it is one of these, else the first of them. */
  readonly oneOf: <Value extends string>(name: string, values: readonly [Value, ...Value[]]) => Value;
  /** As it stands there; undefined: it does not. */
  readonly text: (name: string) => string | undefined;
  /** The address with these parameters; undefined takes one out. Any other page than this one begins at the first. */
  readonly addressWith: (change: Readonly<Record<string, string | number | undefined>>) => string;
  /** `replace`: the way back does not stop here. */
  readonly go: (
    change: Readonly<Record<string, string | number | undefined>>,
    options?: { readonly replace?: boolean },
  ) => void;
}

/** What a list shows, in the address: a reload and the way back find it again. */
export function useListAddress(): ListAddress {
  const { pathname } = useLocation();
  const [address, setAddress] = useSearchParams();
  const page = Number(address.get('page') ?? 1);
  const changed = (change: Readonly<Record<string, string | number | undefined>>): URLSearchParams => {
    const next = new URLSearchParams(address);
    next.delete('page');
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) next.delete(name);
      else next.set(name, String(value));
    }
    return next;
  };
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    oneOf: (name, values) => values.find((value) => value === address.get(name)) ?? values[0],
    text: (name) => address.get(name) ?? undefined,
    addressWith: (change) => `${pathname}?${changed(change).toString()}`,
    go: (change, options) => setAddress(changed(change), options),
  };
}
