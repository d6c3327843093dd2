import { describe, expect, it, jest } from '@jest/globals';
import { asStored } from '@moorage/domain';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { RecordContextProvider } from 'react-admin';
import { ApiError, type FieldError } from '../../data/errors';
import { press, showInConsole } from '../../testing/console-fixture';
import { Form, SubmitError } from './form';
import { FormButtons } from './form-buttons';
import { SelectInput, SwitchInput, TextInput } from './inputs';

const EMPTY = { name: '', password: '', confirm: '', amount: '1', scope: 'read', is_admin: false };
type Values = typeof EMPTY;
type FormProps = ComponentProps<typeof Form<Values>>;

const inCapitals = (name: string): string | null => (name === name.toUpperCase() ? null : 'Use capitals.');
const isWhole = (amount: string): string | null => (/^\d+$/.test(amount) ? null : 'Enter a whole number.');
const isEqual = (confirm: string, { password }: Values): string | null =>
  confirm === password ? null : 'Passwords differ.';

function Example(props: Partial<FormProps> & Pick<FormProps, 'onSubmit'>) {
  return (
    <Form defaultValues={EMPTY} wireNames={{ login: 'name' }} {...props}>
      <SubmitError />
      <TextInput source="name" label="Name" hint="In capitals" validate={inCapitals} />
      <TextInput source="password" label="Password" type="password" />
      <TextInput source="confirm" label="Confirmation" validate={isEqual} />
      <SelectInput source="scope" label="Scope">
        <option value="read">Read</option>
        <option value="write">Write</option>
      </SelectInput>
      <TextInput source="amount" label="Amount" isEager validate={isWhole} />
      <SwitchInput source="is_admin" label="Administrator" hint="May do everything" />
      <FormButtons label="Save" busyLabel="Saving..." onCancel={() => undefined} />
    </Form>
  );
}

const accept = () => jest.fn<(values: Values) => Promise<void>>(async () => undefined);
const reject = (error: Error) => jest.fn<(values: Values) => Promise<void>>(() => Promise.reject(error));
const refused = (...fields: readonly FieldError[]) =>
  new ApiError(422, 'FIELDS_INVALID', asStored('Some fields are wrong.'), fields);

async function show(props: Parameters<typeof Example>[0], { at = '/' } = {}): Promise<void> {
  showInConsole(<Example {...props} />, { replies: {}, at });
  await screen.findByLabelText('Name');
}
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = async (label: string, text: string): Promise<void> => userEvent.type(input(label), text);

describe('submitting', () => {
  it('passes the values of all kinds of inputs as entered', async () => {
    const onSubmit = accept();
    await show({ onSubmit });
    await type('Name', ' MARA ');
    await userEvent.selectOptions(input('Scope'), 'Write');
    await userEvent.click(screen.getByRole('switch', { name: 'Administrator', description: 'May do everything' }));
    await press('Save');
    expect(onSubmit.mock.calls.map(([values]) => values)).toEqual([
      { ...EMPTY, name: ' MARA ', scope: 'write', is_admin: true },
    ]);
  });

  it('disables the button while it is busy and runs only once', async () => {
    let finish = (): void => undefined;
    const onSubmit = jest.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    await show({ onSubmit });
    await press('Save');
    expect(screen.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    act(() => input('Name').form?.requestSubmit());
    finish();
    expect(await screen.findByRole('button', { name: 'Save' })).toBeEnabled();
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });

  it('focuses the first invalid field and does not run', async () => {
    const onSubmit = accept();
    await show({ onSubmit });
    await type('Confirmation', 'x');
    await type('Name', 'mara');
    await press('Save');
    expect(await screen.findByText('Use capitals.')).toBeInTheDocument();
    expect(screen.getByText('Passwords differ.')).toBeInTheDocument();
    await waitFor(() => expect(input('Name')).toHaveFocus());
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe('validation', () => {
  it('waits until the field is left, then follows every change', async () => {
    await show({ onSubmit: accept() });
    await type('Name', 'mara');
    expect(screen.queryByText('Use capitals.')).not.toBeInTheDocument();
    expect(screen.getByText('In capitals')).toBeInTheDocument();
    await userEvent.tab();
    expect(await screen.findByText('Use capitals.')).toBeInTheDocument();
    expect(screen.queryByText('In capitals')).not.toBeInTheDocument();
    expect(input('Name')).toHaveAttribute('aria-invalid', 'true');
    expect(input('Name')).toHaveAccessibleDescription('Use capitals.');
    await userEvent.clear(input('Name'));
    await waitFor(() => expect(screen.queryByText('Use capitals.')).not.toBeInTheDocument());
    expect(input('Name')).toHaveAttribute('aria-invalid', 'false');
  });

  it('ignores an empty field that is left', async () => {
    await show({ onSubmit: accept() });
    await type('Password', 'secret');
    await userEvent.click(input('Confirmation'));
    await userEvent.tab();
    expect(screen.queryByText('Passwords differ.')).not.toBeInTheDocument();
  });

  it('follows every change of an eager field', async () => {
    await show({ onSubmit: accept() });
    await type('Amount', '.');
    expect(await screen.findByText('Enter a whole number.')).toBeInTheDocument();
  });

  it('repeats the rule of an invalid field when another field changes', async () => {
    await show({ onSubmit: accept() });
    await type('Confirmation', 'secret');
    await userEvent.tab();
    expect(await screen.findByText('Passwords differ.')).toBeInTheDocument();
    await type('Password', 'secret');
    await waitFor(() => expect(screen.queryByText('Passwords differ.')).not.toBeInTheDocument());
  });
});

describe('errors of the server', () => {
  it('appear next to their fields, focus the first one and keep the values', async () => {
    const onSubmit = reject(
      refused(
        { path: 'confirm', message: asStored('This is too short.') },
        { path: 'login', message: asStored('This name is taken.') },
      ),
    );
    await show({ onSubmit });
    await type('Name', 'MARA');
    await press('Save');
    expect(await screen.findByText('This name is taken.')).toBeInTheDocument();
    expect(screen.getByText('This is too short.')).toBeInTheDocument();
    expect(screen.queryByText('Some fields are wrong.')).not.toBeInTheDocument();
    expect(input('Name')).toHaveFocus();
    expect(input('Name')).toHaveValue('MARA');
    await press('Save');
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2));
  });

  it.each([
    ['of fields that are not displayed', refused({ path: 'owner', message: asStored('Unknown.') })],
    ['of the whole form', refused()],
  ])('%s appear above the form and focus its first field', async (_, error) => {
    await show({ onSubmit: reject(error) });
    await press('Save');
    expect(await screen.findByRole('alert')).toHaveTextContent('Some fields are wrong.');
    expect(input('Name')).toHaveFocus();
  });

  it('can focus another field and have another message', async () => {
    await show({ onSubmit: reject(new Error('gone')), retryAt: 'password', refusal: () => 'Try again later.' });
    await press('Save');
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again later.');
    expect(input('Password')).toHaveFocus();
  });

  it('have a default message and disappear with the next submit', async () => {
    const onSubmit = reject(new Error('gone'));
    await show({ onSubmit });
    await press('Save');
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong. Try again.');
    onSubmit.mockImplementation(async () => undefined);
    await press('Save');
    await waitFor(() => expect(screen.getByRole('alert')).toBeEmptyDOMElement());
  });
});

it('reveals a password', async () => {
  await show({ onSubmit: accept() });
  expect(input('Password')).toHaveAttribute('type', 'password');
  await press('Show password');
  expect(input('Password')).toHaveAttribute('type', 'text');
  await press('Hide password');
  expect(input('Password')).toHaveAttribute('type', 'password');
});

describe('initial values', () => {
  it('do not come from the query of a link', async () => {
    await show({ onSubmit: accept() }, { at: `/?source=${encodeURIComponent('{"name":"EVE"}')}` });
    expect(input('Name')).toHaveValue('');
  });

  it('do not come from the record of the page', async () => {
    showInConsole(
      <RecordContextProvider value={{ id: 1, name: 'EVE' }}>
        <Example onSubmit={accept()} />
      </RecordContextProvider>,
      { replies: {} },
    );
    expect(await screen.findByLabelText('Name')).toHaveValue('');
  });
});
