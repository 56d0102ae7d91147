import { describe, expect, it } from 'vitest';
import { findTableFaults } from './find-table-faults.ts';

const file = (path: string, text: string): { path: string; text: string } => ({ path, text });

describe('the tables of the rooms', () => {
  it('lets a room name its own tables, and functions of others', () => {
    expect(
      findTableFaults([
        file('src/receipts/a.ts', "query('select hash from :schema.receipt');"),
        file('src/audit/b.ts', "query('select hash from :schema.receipt_last($1)');"),
        file('migrations/functions/receipts.sql', 'insert into :schema.receipt (stream) values (1);'),
      ]),
    ).toEqual([]);
  });

  it('finds a table of another room, once a file, but not in a comment', () => {
    expect(
      findTableFaults([
        file('src/turns/a.ts', "// :schema.job\nquery('insert into :schema.receipt select from :schema.receipt');"),
        file('migrations/functions/chat.sql', '-- not :schema.job\nselect from :schema.receipt_head;'),
      ]),
    ).toEqual([
      'src/turns/a.ts names the table receipt: only receipts may',
      'migrations/functions/chat.sql names the table receipt_head: only receipts may',
    ]);
  });

  it('finds a copy of the rule who is in a workspace', () => {
    const fault = 'decides itself who is in a workspace: the view member_workspace says it';
    expect(
      findTableFaults([
        file('src/tenancy/a.ts', "query(`select from :schema.workspace w where w.kind <> 'named'`);"),
        file('migrations/functions/jobs.sql', "select case when w.kind = 'named' then 1 end;"),
        file('src/tenancy/b.ts', "if (membership.workspaceKind === 'named' || kind === 'named') return;"),
      ]),
    ).toEqual([`src/tenancy/a.ts ${fault}`, `migrations/functions/jobs.sql ${fault}`]);
  });

  it('finds a table without a row, and functions without a room', () => {
    expect(
      findTableFaults([
        file(
          'migrations/0009_more.sql',
          'create table :schema.receipt (a int);\ncreate unlogged table :schema.more (a int);',
        ),
        file('migrations/functions/more.sql', ''),
      ]),
    ).toEqual([
      'migrations/0009_more.sql creates the table more: floors.ts does not say which rooms may name it',
      'migrations/functions/more.sql: floors.ts says of no room that these functions are its own',
    ]);
  });
});
