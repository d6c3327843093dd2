import { inputType } from '@moorage/domain';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { useEnvLabel } from '../../parts/order/env-label';
import type { TypedField } from './typed-value';
import { IconButton } from '../../ui/button';

export interface ConfigInputProps {
  readonly field: TypedField;
  /** Name whose dictionary entry provides the label. Otherwise `label` is used. */
  readonly env?: string;
  readonly label?: string;
  readonly hint: string | null;
  readonly required: boolean;
  readonly placeholder: string;
  readonly value: string;
  readonly problem: string | null;
  readonly multiline?: boolean;
  readonly onType: (value: string) => void;
  readonly onLeave: () => void;
  readonly children?: ReactNode;
}

/** Text field with its label above and a hint or error below. Masked values have a show button. */
export function ConfigInput({
  field,
  env,
  label: given = '',
  hint,
  required,
  placeholder,
  value,
  problem,
  multiline = false,
  onType,
  onLeave,
  children,
}: ConfigInputProps) {
  const t = useText();
  const envLabel = useEnvLabel();
  const id = useId();
  const [shown, setShown] = useState(false);
  const label = env === undefined ? given : envLabel(env);
  const masked = !multiline && inputType(field) === 'password';
  const type = multiline ? 'text' : masked && shown ? 'text' : inputType(field);
  return (
    <div className="wiz-field">
      <label htmlFor={id}>{label}</label>
      <OutlinedInput
        id={id}
        fullWidth
        size="small"
        type={type}
        value={value}
        placeholder={placeholder}
        error={problem !== null}
        multiline={multiline}
        {...(multiline ? { minRows: 2, maxRows: 6, className: 'mono' } : {})}
        inputProps={{
          name: field,
          'aria-required': required,
          'aria-invalid': problem !== null,
          'aria-describedby': `${id}-hint`,
          // Password managers must not fill in the user's password for this product.
          autoComplete: masked ? 'new-password' : 'off',
          autoCapitalize: 'none',
          spellCheck: false,
        }}
        onChange={(event) => onType(event.target.value)}
        onBlur={onLeave}
        endAdornment={
          masked ? (
            <InputAdornment position="end">
              <IconButton
                size="small"
                icon={shown ? EyeOff : Eye}
                label={t(shown ? 'wizard.config.hide' : 'wizard.config.show', { label })}
                onClick={() => setShown(!shown)}
              />
            </InputAdornment>
          ) : undefined
        }
      />
      <p className={problem === null ? 'hint' : 'hint wrong'} id={`${id}-hint`}>
        {problem ?? hint}
      </p>
      {children}
    </div>
  );
}
