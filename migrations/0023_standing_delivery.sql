-- expand

-- What is pushed of the commits of runs that start by themselves, or from a recipe.
alter table :schema.standing_run add column deliver text check (deliver in ('branch', 'pull-request'));
alter table :schema.recipe add column deliver text check (deliver in ('branch', 'pull-request'));
