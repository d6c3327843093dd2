import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../data/api';
import { messageText, type PublicTextKey, usePublicText } from '../texts/locale';
import { refusalText } from './problem-words';

/** Why the value of a field is refused, or null; may look at the other values. */
export type Checks<Name extends string> = Readonly<
  Record<Name, (values: Readonly<Record<Name, string>>) => string | null>
>;

export type FormInput = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface FormField {
  readonly value: string;
  /** Shown beside the field. */
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  readonly inputRef: (input: FormInput | null) => void;
}

export interface Form<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly busy: boolean;
  /** What is wrong with the whole, for the red box. */
  readonly refusal: string | null;
  readonly field: (name: Name) => FormField;
  readonly onSubmit: (event: FormEvent) => void;
}

/**
 * The manners of every form: a field is checked when it is left (empty ones only on submit, nobody is told off for
 * passing by), again on submit, and from then on while it is mended; the focus goes to the first wrong field.
 * What `submit` throws goes beside the fields it is about, else into the red box; so does a sentence it answers.
 */
export function useForm<Name extends string>({
  initial,
  checks,
  submit,
  failed,
  retryAt,
  wireNames = {},
}: {
  initial: Readonly<Record<Name, string>>;
  checks: Checks<NoInfer<Name>>;
  submit: (values: Readonly<Record<NoInfer<Name>, string>>) => Promise<string | null>;
  /** Said when not even the api could say what went wrong. */
  failed: PublicTextKey;
  /** Where somebody goes on after a refusal. */
  retryAt: NoInfer<Name>;
  /** Fields that the api calls otherwise. */
  wireNames?: Readonly<Record<string, NoInfer<Name>>>;
}): Form<Name> {
  const t = usePublicText();
  const names = Object.keys(initial) as Name[];
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Partial<Record<Name, string | null>>>({});
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const inputs = useRef<Partial<Record<Name, FormInput | null>>>({});

  /** Shows what is wrong and goes to the first field of it; false: nothing is. */
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
        // a field that was found wrong is looked at again at once; the others when they are left
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
