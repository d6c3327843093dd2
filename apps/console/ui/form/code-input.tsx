import { type CodeProps, useCodeEntry } from './code-field';
import { TextInput } from './inputs';
import type { FormInputProps } from './use-form-input';

/** Field for the second factor in a form. */
export function CodeInput<Values extends object>({
  recovery = true,
  ...props
}: CodeProps & FormInputProps<string, Values>) {
  return <TextInput {...useCodeEntry(recovery)} {...props} />;
}
