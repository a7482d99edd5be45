//! Checks the examples in the help of every command.

use clap::{Command, CommandFactory};

/// Returns the command and all its subcommands.
fn commands() -> Vec<Command> {
    let command = crate::Arguments::command();
    let mut all: Vec<Command> = command.get_subcommands().cloned().collect();
    all.retain(|part| !part.is_hide_set());
    all
}

/// Returns the lines below `Examples:`, up to an empty line. A trailing backslash continues a line.
fn examples(command: &Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let Some((_, below)) = help.split_once("Examples:\n") else { return Vec::new() };
    let (block, _) = below.split_once("\n\n").unwrap_or((below, ""));
    block.replace("\\\n", " ").lines().map(|line| line.trim().to_owned()).collect()
}

/// Splits a line into words as a shell does: quotes join characters, and a backslash takes the next one as it is.
///
/// Not a crate that the build script of another one also uses: tests would compile that one, and all above it, with other
/// settings than a build of the command.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    assert_eq!(quote, None, "{line}");
    words.extend(word);
    words
}

/// Returns the words of one call, as split by a shell, up to the use of its output; and the variables that it sets.
fn words(line: &str) -> (Vec<String>, Vec<String>) {
    let ours = split(line).into_iter().take_while(|word| !["|", ">", "&&", "<"].contains(&word.as_str()));
    ours.partition(|word| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|character| character.is_ascii_uppercase() || character == '_')
    })
}

#[test]
fn every_command_has_examples_and_each_is_understood() {
    for command in commands() {
        let name = command.get_name();
        let examples = examples(&command);
        assert!(!examples.is_empty(), "`tables {name} --help` has no examples");
        for line in examples {
            let (variables, words) = words(&line);
            assert_eq!(words.get(..2).unwrap(), ["tables", name], "{line}");
            // A variable replaces its argument.
            let said = |argument: &clap::Arg| {
                let variable = argument.get_env().map(|name| format!("{}=", name.display()));
                variable.is_some_and(|name| variables.iter().any(|set| set.starts_with(&name)))
            };
            let tables = crate::Arguments::command().mut_subcommand(name, |command| {
                command.mut_args(|argument| {
                    let said = said(&argument);
                    if said { argument.required(false) } else { argument }
                })
            });
            tables.try_get_matches_from(&words).unwrap_or_else(|error| panic!("{line}\n{error}"));
        }
    }
}

/// Help has the width of a terminal of 80 columns, also on a wider one, and no line of an example is broken.
#[test]
fn help_has_80_columns() {
    let mut tables = crate::Arguments::command();
    tables.build();
    let mut commands: Vec<Command> = tables.get_subcommands().cloned().collect();
    commands.push(tables);
    for mut command in commands {
        let name = command.get_name().to_owned();
        let helps = [command.render_help(), command.render_long_help()].map(|help| help.to_string());
        for line in helps.iter().flat_map(|help| help.lines()) {
            assert!(line.chars().count() <= 80, "tables {name}: {line}");
        }
        let written = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let block = written.split("\n\n").next().unwrap_or_default();
        assert!(helps.iter().all(|help| help.contains(block)), "tables {name}: {block}");
    }
}

#[test]
fn words_are_those_of_a_shell() {
    assert_eq!(
        split(r#"a  'b "c' "d 'e" f\ g h'i'"j" '' "k\"l""#),
        ["a", "b \"c", "d 'e", "f g", "hij", "", "k\"l"]
    );
}

#[test]
fn the_definitions_hold_together() {
    crate::Arguments::command().debug_assert();
}
