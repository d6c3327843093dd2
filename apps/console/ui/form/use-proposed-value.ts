import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';

/** Enters a value that has changed outside of the form, unless the user has changed the field. */
export function useProposedValue(source: string, proposed: string): void {
  const { getValues, setValue } = useFormContext();
  const before = useRef(proposed);
  useEffect(() => {
    if (getValues(source) === before.current) setValue(source, proposed);
    before.current = proposed;
  }, [source, proposed, getValues, setValue]);
}
