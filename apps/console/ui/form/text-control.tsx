import { Eye, EyeOff } from 'lucide-react';
import { type ChangeEventHandler, type InputHTMLAttributes, type ReactNode, type RefCallback, useState } from 'react';
import { usePublicText } from '../../texts/locale';
import { FieldFrame, type FramedInput, type FrameProps } from './field-frame';
import '../copy-button.css';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** Props of a text field that do not depend on how its value is stored. */
export interface TextControlProps
  extends
    FrameProps,
    Pick<
      InputHTMLAttributes<TextElement>,
      'autoComplete' | 'autoFocus' | 'inputMode' | 'max' | 'maxLength' | 'min' | 'placeholder' | 'spellCheck' | 'step'
    > {
  type?: 'text' | 'email' | 'password' | 'number' | 'date';
  /** Number of lines. Makes the field multi-line. */
  rows?: number;
  /** Text within the field, before the value. */
  prefix?: string;
  /** Text within the field, after the value. */
  suffix?: string;
}

/** Text field of public and signed-in pages. Passwords can be revealed. */
export function TextControl({
  label,
  hint,
  aside,
  problem,
  optional = false,
  type = 'text',
  rows,
  prefix,
  suffix,
  inputRef,
  ...attributes
}: TextControlProps & {
  name?: string;
  value: string;
  onChange: ChangeEventHandler<TextElement>;
  onBlur: () => void;
  inputRef: RefCallback<TextElement>;
}) {
  const [isRevealed, setRevealed] = useState(false);
  const isPassword = type === 'password';
  const render = (framed: FramedInput): ReactNode => {
    const common = { ...framed, ...attributes, required: !optional };
    return (
      <>
        {prefix === undefined ? null : <span className="muted">{prefix}</span>}
        {rows === undefined ? (
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...common}
            ref={inputRef}
            type={isPassword && isRevealed ? 'text' : type}
          />
        ) : (
          <textarea {...common} ref={inputRef} rows={rows} />
        )}
        {suffix === undefined ? null : <span className="muted">{suffix}</span>}
        {isPassword ? (
          <RevealButton controls={framed.id} isRevealed={isRevealed} onToggle={() => setRevealed(!isRevealed)} />
        ) : null}
      </>
    );
  };
  return (
    <FieldFrame
      label={label}
      hint={hint}
      aside={aside}
      problem={problem}
      optional={optional}
      hasLines={rows !== undefined}
    >
      {render}
    </FieldFrame>
  );
}

function RevealButton({
  controls,
  isRevealed,
  onToggle,
}: {
  controls: string;
  isRevealed: boolean;
  onToggle: () => void;
}) {
  const t = usePublicText();
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <button
      type="button"
      className="copy"
      aria-label={isRevealed ? t('form.hide_password') : t('form.show_password')}
      aria-controls={controls}
      onClick={onToggle}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
