import { useLocation, useSearchParams } from 'react-router-dom';

interface ListAddress {
  readonly page: number;
  /** Returns the parameter if it is one of these values, otherwise the first value. */
  readonly oneOf: <Value extends string>(name: string, values: readonly [Value, ...Value[]]) => Value;
  /** Returns the raw parameter, or undefined. */
  readonly text: (name: string) => string | undefined;
  /**
   * Returns the address with these parameters. Undefined removes one. Changing anything but the page resets it to the
   * first.
   */
  readonly addressWith: (change: Readonly<Record<string, string | number | undefined>>) => string;
  /** Navigates to the changed address. `replace` adds no history entry. */
  readonly go: (
    change: Readonly<Record<string, string | number | undefined>>,
    options?: { readonly replace?: boolean },
  ) => void;
}

/** Keeps the state of a list in the address, so that it survives reloads and Back. */
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
