import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { ProjectFile } from '../../../src/contract/projects.ts';
import { api } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { uploadForm } from '../../api/upload-form.ts';
import { findFileProblem } from './find-file-problem.ts';

/** A file on its way, or one that did not arrive. */
export interface PendingFile {
  readonly key: number;
  readonly name: string;
  /** 0 to 1. */
  readonly progress: number;
  readonly problem?: string;
}

interface Uploads {
  readonly pending: readonly PendingFile[];
  add(files: readonly File[]): void;
  dismiss(key: number): void;
}

/** `stored` is how many files the project has. */
export function useUploads(project: string, stored: number): Uploads {
  const queryClient = useQueryClient();
  const [pending, setPending] = useState<readonly PendingFile[]>([]);
  const keys = useRef(0);
  const dismiss = useCallback((key: number) => setPending((before) => before.filter((file) => file.key !== key)), []);
  const note = (key: number, known: Partial<PendingFile>): void =>
    setPending((before) => before.map((file) => (file.key === key ? { ...file, ...known } : file)));

  function add(files: readonly File[]): void {
    const underWay = pending.filter(({ problem }) => problem === undefined).length;
    for (const [index, file] of files.entries()) {
      const key = ++keys.current;
      const problem = findFileProblem(file, stored + underWay + index);
      const added = { key, name: file.name, progress: 0, ...(problem === undefined ? {} : { problem }) };
      setPending((before) => [...before, added]);
      if (problem === undefined) send(key, file);
    }
  }

  function send(key: number, file: File): void {
    const form = new FormData();
    form.set('file', file, file.name);
    const { done } = uploadForm<{ file: ProjectFile }>(
      `/api/projects/${encodeURIComponent(project)}/files`,
      form,
      (progress) => note(key, { progress }),
    );
    done
      .then(() => queryClient.invalidateQueries({ queryKey: api.projects.key() }))
      .then(
        () => dismiss(key),
        (error: unknown) => note(key, { problem: readFault(error).text }),
      );
  }

  return { pending, add, dismiss };
}
