import { useEffect } from 'react';
import { readTabList, writeTabList } from './tab-list';

const LIST = 'moorage:unpaid-choices';
const CHOICES_MAX = 20;

/** Choice for a deployment that the balance does not cover yet. */
interface UnpaidChoice {
  readonly what: 'level' | 'size';
  readonly id: number;
  readonly value: string;
}

const readAll = (): readonly UnpaidChoice[] => readTabList(LIST) as readonly UnpaidChoice[];

/** Returns the choice that was left to pay for it, or null. */
export const unpaidChoice = (what: UnpaidChoice['what'], id: number): string | null =>
  readAll().find((one) => one.what === what && one.id === id)?.value ?? null;

/** Forgets a choice that was saved or cancelled. */
export const forgetUnpaidChoice = (what: UnpaidChoice['what'], id: number): void => store({ what, id, value: null });

/** Remembers a choice in this tab while the balance does not cover it, so that it is still chosen after the payment. */
export function useUnpaidChoice(what: UnpaidChoice['what'], id: number, value: string | null): void {
  useEffect(() => {
    if (value !== null) store({ what, id, value });
  }, [what, id, value]);
}

function store({ what, id, value }: Omit<UnpaidChoice, 'value'> & { value: string | null }): void {
  const others = readAll().filter((one) => one.what !== what || one.id !== id);
  writeTabList(LIST, [...others, ...(value === null ? [] : [{ what, id, value }])].slice(-CHOICES_MAX));
}
