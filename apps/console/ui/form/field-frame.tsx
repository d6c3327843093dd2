import { type ReactNode, useId } from 'react';
import { usePublicText } from '../../texts/locale';
import './field-frame.css';

/** Attributes that connect an input with its label and with the text below it. */
export interface FramedInput {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

export interface FrameProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Link to the right of the label. */
  aside?: ReactNode;
  /** Error that replaces the hint, or null if the value is valid. */
  problem?: ReactNode;
  optional?: boolean;
}

/** Label above an input, and its hint or error below. */
export function FieldFrame({
  label,
  hint,
  aside,
  problem = null,
  optional = false,
  hasLines = false,
  children,
}: FrameProps & {
  /** The input has several lines. */
  hasLines?: boolean;
  children: (input: FramedInput) => ReactNode;
}) {
  const t = usePublicText();
  const id = useId();
  const below = problem ?? hint ?? null;
  const isInvalid = problem !== null;
  return (
    <div>
      <div className="labelrow">
        <label htmlFor={id}>
          {label}
          {optional ? <span className="muted"> ({t('form.optional')})</span> : null}
        </label>
        {aside}
      </div>
      <span className={`in lg${hasLines ? ' lines' : ''}${isInvalid ? ' bad' : ''}`}>
        {children({
          id,
          'aria-invalid': isInvalid,
          'aria-describedby': below === null ? undefined : `${id}-below`,
        })}
      </span>
      {below === null ? null : (
        <div className={isInvalid ? 'hint wrong' : 'hint'} id={`${id}-below`}>
          {below}
        </div>
      )}
    </div>
  );
}
