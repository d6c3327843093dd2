import { OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextControl, type TextControlProps } from './text-control';
import type { FormField } from './use-form';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';

/** Text field of a form on a public page. */
export function Field({
  field: { value, problem, onChange, onLeave, inputRef },
  ...props
}: Omit<TextControlProps, 'problem'> & { autoComplete: string; field: FormField }) {
  return (
    <TextControl
      {...props}
      value={value}
      problem={problem}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onLeave}
      inputRef={inputRef}
    />
  );
}

/** Error that concerns the whole form, above its fields. `children` offers a solution below the text. */
export function FormError({ text, children }: { text: string | null; children?: ReactNode }) {
  return (
    <div role="alert">
      {text === null ? null : (
        <div className="note port">
          <OctagonX size={16} aria-hidden="true" />
          <div>
            <p>{text}</p>
            {children}
          </div>
        </div>
      )}
    </div>
  );
}

/** Submits the form, once its HTML is hydrated. Before, the browser would load the page again. */
export function SubmitButton({
  label,
  busyLabel,
  busy,
  disabled = false,
}: {
  label: string;
  busyLabel: string;
  busy: boolean;
  disabled?: boolean;
}) {
  const isHydrated = useHydrated();
  return (
    <Button type="submit" kind="primary" size="large" block busy={busy} disabled={disabled || !isHydrated}>
      {busy ? busyLabel : label}
    </Button>
  );
}
