import type { ReactNode, Ref } from 'react';
import { FieldFrame, type FrameProps } from './field-frame';

/** Native select field. */
export function SelectField({
  onChange,
  inputRef,
  name,
  value,
  onBlur,
  autoComplete,
  autoFocus,
  required,
  children,
  ...frame
}: FrameProps & {
  name?: string;
  value: string;
  autoComplete?: string;
  autoFocus?: boolean;
  required?: boolean;
  onChange: (value: string) => void;
  onBlur?: () => void;
  inputRef?: Ref<HTMLSelectElement>;
  children: ReactNode;
}) {
  return (
    <FieldFrame {...frame}>
      {(framed) => (
        <select
          {...framed}
          ref={inputRef}
          name={name}
          value={value}
          autoComplete={autoComplete}
          autoFocus={autoFocus}
          required={required}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onBlur}
        >
          {children}
        </select>
      )}
    </FieldFrame>
  );
}
