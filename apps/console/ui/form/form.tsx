import { type BaseSyntheticEvent, type ReactNode, useEffect, useState } from 'react';
import { Form as AdminForm } from 'react-admin';
import { createFormControl, type FieldValues, useFormState, type UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../data/errors';
import { messageText, usePublicText } from '../../texts/locale';
import { refusalText } from '../../data/problem-message';
import { FormError } from './field';

/** Inputs decide when they are validated. The form itself validates only on submit. */
const ON_SUBMIT = { mode: 'onSubmit', reValidateMode: 'onSubmit' } as const;

/** Keeps the values of the page's record out of the form. */
const NO_RECORD = {};

/** Methods of a form in react-hook-form. */
type FormControl = Omit<UseFormReturn, 'formState'>;

/** Errors by field, or of the whole form under `root`. */
type Errors = Record<string, string | { readonly serverError: string }>;

/**
 * Form of a signed-in page, on react-admin's form. It starts with `defaultValues` only, and no record, link or reload
 * changes what the user has entered. Errors thrown by `onSubmit` appear next to their fields or in `SubmitError`.
 */
export function Form<Values extends FieldValues>({
  id,
  className,
  defaultValues,
  onSubmit,
  wireNames = {},
  retryAt,
  refusal,
  children,
}: {
  id?: string;
  className?: string;
  defaultValues: Values;
  /** Receives the values, and the form to change one after the submit. */
  onSubmit: (values: Values, form: Pick<FormControl, 'setValue'>) => Promise<unknown>;
  /** Field names that differ in the API. */
  wireNames?: Readonly<Record<string, string>>;
  /** Field that takes the focus after an error of the whole form. The first one by default. */
  retryAt?: string;
  /** Returns the message for an error of the whole form. By default the server's, or a general one. */
  refusal?: (error: unknown) => string;
  children: ReactNode;
}) {
  const t = usePublicText();
  const [control] = useState(() => controlOf(defaultValues));

  // Invalid fields are validated on every change, as the change may concern another field's rule.
  useEffect(
    () =>
      control.subscribe({
        formState: { values: true },
        callback({ errors = {} }) {
          const invalid = Object.keys(errors).filter((name) => name !== 'root');
          if (invalid.length > 0) void control.trigger(invalid);
        },
      }),
    [control],
  );

  const submit = async (values: FieldValues, event?: BaseSyntheticEvent): Promise<Errors | undefined> => {
    try {
      await onSubmit(values as Values, control);
      return undefined;
    } catch (error) {
      const inputs = namedInputs(event?.target as HTMLFormElement);
      const errors = fieldErrors(error, wireNames, inputs);
      const first = [...inputs.keys()].find((name) => name in errors);
      inputs.get(first ?? retryAt ?? [...inputs.keys()][0] ?? '')?.focus();
      if (first !== undefined) return errors;
      return { root: { serverError: refusal?.(error) ?? refusalText(error, t('form.failed')) } };
    }
  };
  return (
    <AdminForm
      {...ON_SUBMIT}
      id={id}
      className={className}
      noValidate
      formControl={control}
      record={NO_RECORD}
      defaultValues={defaultValues}
      disableInvalidFormNotification
      onSubmit={submit}
    >
      {children}
    </AdminForm>
  );
}

/** Error that concerns the whole form. */
export function SubmitError() {
  const { errors } = useFormState();
  return <FormError text={errors.root?.serverError?.message ?? null} />;
}

/**
 * Creates the state of a form. It ignores a submit while another is running, and resets, because react-admin would reset
 * the form to values in the address.
 */
function controlOf(defaultValues: FieldValues): FormControl {
  const { formControl } = createFormControl({ ...ON_SUBMIT, defaultValues });
  let isRunning = false;
  return {
    ...formControl,
    reset: () => undefined,
    handleSubmit: (...handlers) => {
      const submit = formControl.handleSubmit(...handlers);
      return async (event) => {
        event?.preventDefault();
        if (isRunning) return;
        isRunning = true;
        await submit(event).finally(() => {
          isRunning = false;
        });
      };
    },
  };
}

/** Returns the inputs of a form by name, in their order on the page. */
function namedInputs(form: HTMLFormElement): ReadonlyMap<string, HTMLElement> {
  const inputs = [...form.elements].filter((input) => input instanceof HTMLElement);
  return new Map(
    inputs.flatMap((input) => {
      const name = input.getAttribute('name');
      return name === null ? [] : [[name, input]];
    }),
  );
}

/** Returns the server's errors of displayed fields. */
function fieldErrors(
  error: unknown,
  wireNames: Readonly<Record<string, string>>,
  inputs: ReadonlyMap<string, HTMLElement>,
): Record<string, string> {
  const fields = error instanceof ApiError ? error.fields : [];
  return Object.fromEntries(
    fields
      .map(({ path, message }): [string, string] => [wireNames[path] ?? path, messageText(message)])
      .filter(([name]) => inputs.has(name)),
  );
}
