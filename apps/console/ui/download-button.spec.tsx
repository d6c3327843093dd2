import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showInConsole } from '../testing/console-fixture';
import { DownloadButton } from './download-button';

const show = (load: () => Promise<Blob>) =>
  showInConsole(
    <DownloadButton label="Export" busyLabel="Exporting..." failed="Export failed" name="all.csv" load={load} />,
    { replies: {} },
  );

describe('download button', () => {
  it('saves the file under its name and is disabled until then', async () => {
    URL.createObjectURL = () => 'blob:x';
    URL.revokeObjectURL = () => undefined;
    const saved: string[] = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    let finish: (file: Blob) => void = () => undefined;
    show(() => new Promise((resolve) => (finish = resolve)));
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    expect(screen.getByRole('button', { name: 'Exporting...' })).toBeDisabled();
    finish(new Blob(['a']));
    expect(await screen.findByRole('button', { name: 'Export' })).toBeEnabled();
    expect(saved).toEqual(['all.csv']);
  });

  it('shows a toast if the file cannot be loaded', async () => {
    show(() => Promise.reject(new Error('away')));
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    expect(await screen.findByText('Export failed')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled();
  });
});
