import { checkNewPassword } from '@moorage/domain';
import { useWatch } from 'react-hook-form';
import { usePublicText } from '../../texts/locale';
import { problemText } from '../../data/problem-message';
import { TextInput } from './inputs';
import { Strength } from './strength';

/** Field for a new password, with its strength. */
export function NewPasswordInput({ source, label }: { source: string; label: string }) {
  const p = usePublicText();
  const password = useWatch<Record<string, string>>({ name: source });
  return (
    <TextInput
      source={source}
      label={label}
      type="password"
      autoComplete="new-password"
      hint={password === '' ? p('signup.password_hint') : <Strength password={password} />}
      validate={(value) => problemText(checkNewPassword(value))}
    />
  );
}
