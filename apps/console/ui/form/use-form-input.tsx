import type { ReactNode } from 'react';
import { useInput, ValidationError } from 'react-admin';
import { useFormContext } from 'react-hook-form';

/** Rule of a field. Returns its error, and null or undefined for a valid value. May depend on the other values. */
type Rule<Value, Values extends object> = (value: Value, values: Values) => string | null | undefined;

/** Place of an input in its form. */
export interface FormInputProps<Value, Values extends object> {
  /** Name of the value in the form. */
  source: string;
  validate?: Rule<Value, Values> | undefined;
  /** Validates every change, also before the field is left for the first time. */
  isEager?: boolean;
}

/** Connects an input with its form through react-admin. Fields that are not empty are also validated on blur. */
export function useFormInput<Value, Values extends object>({
  source,
  validate,
  isEager = false,
}: FormInputProps<Value, Values>) {
  const { trigger } = useFormContext();
  const { field, fieldState } = useInput<Value>({
    source,
    ...(validate === undefined ? {} : { validate }),
    parse: asEntered,
  });
  const { error } = fieldState;
  const problem: ReactNode = error === undefined ? null : <ValidationError error={error.message ?? ''} />;
  return {
    name: field.name,
    value: field.value as Value,
    inputRef: field.ref,
    problem,
    onChange: (change: unknown) => {
      field.onChange(change);
      if (isEager) void trigger(source);
    },
    onBlur: () => {
      field.onBlur();
      if (field.value !== '') void trigger(source);
    },
  };
}

/** Replaces react-admin's conversion of empty texts to null. */
const asEntered = <Value,>(value: Value): Value => value;
