import { useState } from 'react';
import { messageText } from '../../texts/locale';
import type { ConfigInputProps } from './config-input';
import { tidy, type TypedField } from './typed-value';
import { useWizard } from './wizard-context';

export type FieldProps = Pick<ConfigInputProps, 'field' | 'value' | 'problem' | 'onType' | 'onLeave'>;

/** Connects fields with the draft. They are validated on blur, and all of them with `isMarked`. */
export function useFieldProps(isMarked: boolean): (field: TypedField) => FieldProps {
  const { wizard, problems, checkTyped, type } = useWizard();
  const [left, setLeft] = useState<readonly string[]>([]);
  const found = checkTyped();
  return (field) => {
    const value = wizard.draft[field] ?? '';
    const problem = problems[field] ?? (isMarked || left.includes(field) ? found[field] : undefined);
    return {
      field,
      value,
      problem: problem === undefined ? null : messageText(problem),
      onType: (typed) => type(field, typed),
      onLeave() {
        if (tidy(field, value) !== value) type(field, tidy(field, value));
        if (value !== '') setLeft((before) => [...before, field]);
      },
    };
  };
}
