import { type Dispatch, type FormEvent, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../data/errors';
import { messageText, type PublicTextKey, usePublicText } from '../../texts/locale';
import { refusalText } from '../../data/problem-message';

/** Returns the error of each field, or null. May depend on the other values. */
export type Checks<Name extends string> = Readonly<
  Record<Name, (values: Readonly<Record<Name, string>>) => string | null>
>;

type FormInput = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface FormField {
  readonly value: string;
  /** Shown next to the field. */
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  readonly inputRef: (input: FormInput | null) => void;
}

export interface Form<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly busy: boolean;
  /** Error that concerns the whole form. */
  readonly refusal: string | null;
  readonly field: (name: Name) => FormField;
  readonly onSubmit: (event: FormEvent) => void;
}

export interface FormOptions<Name extends string> {
  readonly initial: Readonly<Record<Name, string>>;
  readonly checks: Checks<NoInfer<Name>>;
  readonly submit: (values: Readonly<Record<NoInfer<Name>, string>>) => Promise<string | null>;
  /** Message if the API returned none. */
  readonly failed: PublicTextKey;
  /** Field that takes the focus after a refusal. */
  readonly retryAt: NoInfer<Name>;
  /** Field names that differ in the API. */
  readonly wireNames?: Readonly<Record<string, NoInfer<Name>>>;
}

/**
 * Shared form behaviour. Fields are validated on blur (empty ones only on submit) and on submit. Invalid fields are
 * then validated on every change, and the first one takes the focus. Errors thrown by `submit` appear next to their
 * fields or above the form, as does a message it returns.
 */
export function useForm<Name extends string>({
  initial,
  checks,
  submit,
  failed,
  retryAt,
  wireNames = {},
}: FormOptions<Name>): Form<Name> {
  const t = usePublicText();
  const names = Object.keys(initial) as Name[];
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Partial<Record<Name, string | null>>>({});
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const inputs = useRef<Partial<Record<Name, FormInput | null>>>({});

  useEntered(inputs, setValues);

  /** Shows the errors and focuses the first invalid field. Returns false if there are none. */
  const point = (found: Partial<Record<Name, string | null>>): boolean => {
    setProblems(found);
    const wrong = names.find((name) => found[name] != null);
    inputs.current[wrong ?? retryAt]?.focus();
    return wrong !== undefined;
  };

  const send = async (): Promise<void> => {
    const found = Object.fromEntries(names.map((name) => [name, checks[name](values)])) as Record<Name, string | null>;
    setRefusal(null);
    if (names.some((name) => found[name] !== null)) {
      point(found);
      return;
    }
    setProblems({});
    setBusy(true);
    const refused = await submit(values).catch((error: unknown) => {
      const beside: Partial<Record<Name, string>> = {};
      for (const { path, message } of error instanceof ApiError ? error.fields : []) {
        const name = wireNames[path] ?? names.find((each) => each === path);
        if (name !== undefined) beside[name] = messageText(message);
      }
      return point(beside) ? null : refusalText(error, t(failed));
    });
    setBusy(false);
    setRefusal(refused);
    if (refused !== null) inputs.current[retryAt]?.focus();
  };

  return {
    values,
    busy,
    refusal,
    field: (name) => ({
      value: values[name],
      problem: problems[name] ?? null,
      onChange: (value) => {
        const next = { ...values, [name]: value };
        setValues(next);
        // Invalid fields are validated on every change, the others on blur.
        setProblems(
          (now) =>
            Object.fromEntries(
              names.map((each) => [each, now[each] == null ? null : checks[each](next)]),
            ) as typeof now,
        );
      },
      onLeave: () => {
        if (values[name] !== '') setProblems((now) => ({ ...now, [name]: checks[name](values) }));
      },
      inputRef: (input) => {
        inputs.current[name] = input;
      },
    }),
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void send();
    },
  };
}

/** Keeps what was entered in the fields before their HTML was hydrated. */
function useEntered<Name extends string>(
  inputs: RefObject<Partial<Record<Name, FormInput | null>>>,
  setValues: Dispatch<SetStateAction<Readonly<Record<Name, string>>>>,
): void {
  useEffect(() => {
    const entered = Object.entries<FormInput | null | undefined>(inputs.current).flatMap(([name, input]) =>
      input == null || input.value === '' ? [] : [[name, input.value] as const],
    );
    if (entered.length > 0) setValues((now) => ({ ...now, ...Object.fromEntries(entered) }));
  }, [inputs, setValues]);
}
