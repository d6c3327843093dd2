import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import type { Message } from '@moorage/domain';
import { type ReactNode, useId } from 'react';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';

/** Native select field with its error. */
export function Select({
  label,
  value,
  placeholder = false,
  problem,
  onChoose,
  children,
}: {
  label: string;
  value: string;
  /** The selection may be empty at first. */
  placeholder?: boolean;
  problem: Message | undefined;
  onChoose: (value: string) => void;
  children: ReactNode;
}) {
  const t = useText();
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <span className={problem === undefined ? 'in' : 'in bad'}>
        <select
          id={id}
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={({ target }) => onChoose(target.value)}
        >
          {placeholder ? (
            <option value="" disabled>
              {t('backups.create.choose')}
            </option>
          ) : null}
          {children}
        </select>
      </span>
      <FieldProblem id={id} problem={problem} />
    </div>
  );
}

/** Text field with its error. */
export function TextInput({
  label,
  isLabelHidden = false,
  value,
  hint,
  problem,
  onType,
}: {
  label: string;
  isLabelHidden?: boolean;
  value: string;
  hint?: string;
  problem: Message | undefined;
  onType: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={isLabelHidden ? 'vh' : undefined}>
        {label}
      </label>
      <span className={problem === undefined ? 'in' : 'in bad'}>
        <input
          id={id}
          type="text"
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined && hint === undefined ? undefined : `${id}-problem`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => onType(target.value)}
        />
      </span>
      {problem !== undefined ? (
        <FieldProblem id={id} problem={problem} />
      ) : hint === undefined ? null : (
        <p className="hint" id={`${id}-problem`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Radio buttons with their error. */
export function Radios({
  label,
  value,
  choices,
  problem,
  onChoose,
}: {
  label: string;
  value: string;
  choices: readonly { readonly value: string; readonly label: string }[];
  problem: Message | undefined;
  onChoose: (value: string) => void;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend id={id}>{label}</legend>
      <RadioGroup row aria-labelledby={id} value={value} onChange={(_event, chosen) => onChoose(chosen)}>
        {choices.map((choice) => (
          <FormControlLabel
            key={choice.value}
            value={choice.value}
            control={<Radio size="small" />}
            label={choice.label}
          />
        ))}
      </RadioGroup>
      <FieldProblem id={id} problem={problem} />
    </fieldset>
  );
}

function FieldProblem({ id, problem }: { id: string; problem: Message | undefined }) {
  return problem === undefined ? null : (
    <p className="hint wrong" id={`${id}-problem`} role="alert">
      {messageText(problem)}
    </p>
  );
}
