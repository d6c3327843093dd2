import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { CONSTANTS } from '@moorage/domain';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { useText } from '../../texts/console-i18n';
import { isReason } from './reason-field';
import { SelectField } from './select-field';
import { TextControl, type TextControlProps } from './text-control';
import { type FormInputProps, useFormInput } from './use-form-input';

type TextInputProps<Values extends object> = Omit<TextControlProps, 'problem'> & FormInputProps<string, Values>;

/** Text field of a form. Its value is the text as entered, also for numbers. */
export function TextInput<Values extends object>({
  source,
  validate,
  isEager = false,
  ...props
}: TextInputProps<Values>) {
  const input = useFormInput({ source, validate, isEager });
  return <TextControl autoComplete="off" {...props} {...input} />;
}

/** Amount in currency units, as entered. */
export function MoneyInput<Values extends object>(props: TextInputProps<Values>) {
  return <TextInput type="number" prefix="$" {...props} />;
}

/** Reason why staff acts on a customer's deployment or account. */
export function ReasonInput({
  source = 'reason',
  hint,
  autoFocus = false,
}: {
  source?: string;
  /** The owner can read the reason unless this hint states otherwise. */
  hint?: string;
  autoFocus?: boolean;
}) {
  const t = useText();
  return (
    <TextInput
      source={source}
      label={t('layout.reason.label')}
      hint={hint ?? t('layout.reason.hint')}
      maxLength={CONSTANTS.actReasonLengthMax}
      autoFocus={autoFocus}
      validate={(reason) => (isReason(reason) ? null : t('layout.reason.needed'))}
    />
  );
}

/** Native select field of a form. `children` are its options. */
export function SelectInput<Values extends object>({
  source,
  validate,
  ...props
}: Omit<ComponentProps<typeof SelectField>, 'name' | 'value' | 'problem' | 'onChange' | 'onBlur' | 'inputRef'> &
  FormInputProps<string, Values>) {
  const input = useFormInput({ source, validate });
  return <SelectField {...props} {...input} />;
}

interface ToggleProps {
  source: string;
  label: ReactNode;
  hint?: ReactNode;
}

/** Switch of a form. */
export const SwitchInput = (props: ToggleProps) => <Toggle {...props} control={Switch} />;

/** Checkbox of a form. */
export const CheckboxInput = (props: ToggleProps) => <Toggle {...props} control={Checkbox} />;

function Toggle({ source, label, hint, control: Control }: ToggleProps & { control: typeof Switch | typeof Checkbox }) {
  const id = useId();
  const { name, value, inputRef, onChange, onBlur } = useFormInput<boolean, object>({ source });
  return (
    <div>
      <FormControlLabel
        className="switch"
        label={label}
        control={
          <Control
            size="small"
            name={name}
            checked={value}
            onChange={(_event, isOn) => onChange(isOn)}
            onBlur={onBlur}
            slotProps={{ input: { ref: inputRef, ...(hint === undefined ? {} : { 'aria-describedby': id }) } }}
          />
        }
      />
      {hint === undefined ? null : (
        <p className="hint" id={id}>
          {hint}
        </p>
      )}
    </div>
  );
}
