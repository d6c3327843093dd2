import { Eye, EyeOff, OctagonX } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useId, useState } from 'react';
import { usePublicText } from '../../texts/locale';
import type { FormField, FormInput } from './use-form';
import { Button } from '../button';

/** Form field with its label above and a hint or error below. Passwords can be revealed. `rows` makes it multi-line. */
export function Field({
  label,
  type = 'text',
  autoComplete,
  hint,
  aside,
  field: { value, problem, onChange, onLeave, inputRef },
  optional = false,
  rows,
  inputMode,
  autoFocus,
}: {
  label: string;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  hint?: ReactNode;
  /** Link to the right of the label. */
  aside?: ReactNode;
  field: FormField;
  optional?: boolean;
  rows?: number;
  inputMode?: 'numeric' | undefined;
  autoFocus?: boolean;
}) {
  const t = usePublicText();
  const id = useId();
  const [shown, setShown] = useState(false);
  const masked = type === 'password';
  const below = problem ?? hint;
  const Icon = shown ? EyeOff : Eye;
  const common = {
    id,
    ref: inputRef,
    autoComplete,
    inputMode,
    autoFocus,
    required: !optional,
    'aria-invalid': problem !== null,
    'aria-describedby': below === undefined ? undefined : `${id}-below`,
    value,
    onChange: (event: ChangeEvent<FormInput>) => onChange(event.target.value),
    onBlur: onLeave,
  };
  return (
    <div>
      <div className="labelrow">
        <label htmlFor={id}>
          {label}
          {optional ? <span className="muted"> ({t('form.optional')})</span> : null}
        </label>
        {aside}
      </div>
      <span className={`in lg${rows === undefined ? '' : ' lines'}${problem === null ? '' : ' bad'}`}>
        {rows === undefined ? (
          <input {...common} type={masked && shown ? 'text' : type} autoCapitalize="none" spellCheck={false} />
        ) : (
          <textarea {...common} rows={rows} />
        )}
        {masked ? (
          <button
            type="button"
            className="copy"
            aria-label={shown ? t('form.hide_password') : t('form.show_password')}
            aria-controls={id}
            onClick={() => setShown(!shown)}
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        ) : null}
      </span>
      {below === undefined ? null : (
        <div className={problem === null ? 'hint' : 'hint wrong'} id={`${id}-below`}>
          {below}
        </div>
      )}
    </div>
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
  return (
    <Button type="submit" kind="primary" size="large" block busy={busy} disabled={disabled}>
      {busy ? busyLabel : label}
    </Button>
  );
}
