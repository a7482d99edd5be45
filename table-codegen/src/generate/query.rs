//! Generation of a typed function for each query, named as in the design.

use heck::ToSnakeCase;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use table_designs::schema::Query;
use table_schema::{
    design::{CopiedFields, EntityDesign, FieldDesign, FieldKind, Origin},
    language::{Comparison, Test},
};

use super::{
    Context,
    chosen::{Chosen, Class, chosen, tests},
    condition::value as condition_value,
    doc::{code, doc, link, plain},
    fields,
    names::{companion, ident, taken_functions},
};
use crate::word::total;

/// Generates the functions of all queries of an entity, and the types of their selected fields.
pub(super) fn expand(
    context: &Context<'_>,
    entity: &EntityDesign,
    left_out: &mut Vec<(String, String)>,
) -> TokenStream {
    let mut functions = Vec::new();
    let mut rows = Vec::new();
    let mut without = Vec::new();
    for query in context.schema.queries.iter().filter(|query| query.find == entity.name) {
        match one(context, entity, query) {
            Ok((function, row)) => {
                functions.push(function);
                rows.extend(row);
            }
            Err(reason) => without.push((query.name.clone(), reason)),
        }
    }
    let mut about = format!("The queries of `{}`.", context.options.source);
    if !without.is_empty() {
        let lines: Vec<String> =
            without.iter().map(|(name, reason)| format!("- `{name}`: {reason}.")).collect();
        about = format!("{about}\n\nQueries without a function:\n\n{}", lines.join("\n"));
    }
    left_out.extend(without);
    if functions.is_empty() {
        return TokenStream::new();
    }
    let (about, name) = (doc(&about), ident(&entity.name));
    quote! {
        #about
        impl #name { #(#functions)* }
        #(#rows)*
    }
}

/// A value that a function compares, with its test.
struct Parameter<'q> {
    test: &'q Test,
    /// The name of the parameter, or the value itself.
    value: TokenStream,
}

fn one(
    context: &Context<'_>,
    entity: &EntityDesign,
    query: &Query,
) -> Result<(TokenStream, Option<TokenStream>), String> {
    let tests = tests(query)?;
    let mut several = tests.iter().filter(|test| test.comparison == Comparison::In);
    if let (Some(_), Some(second)) = (several.next(), several.next()) {
        return Err(format!("`{} in` is a second list: query each of its values", second.field));
    }
    let way = chosen(entity, query, tests, context.schema.lint.denies_table_scans())?;
    let name = function_name(context, entity, query, &way)?;
    let parameters = parameters(context, entity, tests)?;
    let row = row_type(context, entity, query, &way);
    let body = body(entity, query, &way, &parameters, &row);
    let returned = returned(entity, &way, &row);
    let declared = parameters.iter().filter(|parameter| parameter.test.value.is_none());
    let declared = declared.filter_map(|parameter| {
        let field = entity.field(&parameter.test.field)?;
        let (name, ty) = (&parameter.value, fields::argument_type(context, entity, field));
        let long = || if matches!(field.kind, FieldKind::Text { .. }) { quote!(&'a str) } else { ty.clone() };
        Some(match parameter.test.comparison {
            Comparison::Between | Comparison::Within => {
                let ty = long();
                let clone = way.window.or(way.values).map(|_| quote!(+ Clone));
                quote!(#name: impl RangeBounds<#ty> #clone)
            }
            Comparison::In => {
                let ty = long();
                quote!(#name: impl IntoIterator<Item = #ty>)
            }
            _ => quote!(#name: #ty),
        })
    });
    let declared: Vec<TokenStream> = declared.collect();
    let is_borrowed_range = parameters.iter().any(|parameter| {
        matches!(parameter.test.comparison, Comparison::Between | Comparison::Within | Comparison::In)
            && entity
                .field(&parameter.test.field)
                .is_some_and(|field| matches!(field.kind, FieldKind::Text { .. }))
    });
    let lifetime = is_borrowed_range.then(|| quote!(<'a>));
    let about = doc(&about(query, &way));
    let selected = match &row {
        Row::Selected(name, fields) => Some(selected(context, entity, &query.name, name, fields)),
        _ => None,
    };
    // A query may have the name of its entity, and as many parameters as a key has fields.
    let is_like_type =
        (query.name == entity.name.to_snake_case()).then(|| quote!(clippy::self_named_constructors));
    let has_many = (declared.len() > 7).then(|| quote!(clippy::too_many_arguments));
    let lints: Vec<TokenStream> = is_like_type.into_iter().chain(has_many).collect();
    let lint = (!lints.is_empty()).then(|| quote!(#[allow(#(#lints),*)]));
    let function = quote! {
        #about
        #lint
        #[must_use = "a query does nothing until it runs"]
        pub fn #name #lifetime(#(#declared),*) -> #returned { #body }
    };
    Ok((function, selected))
}

/// Returns the name of the query, or a variant of it if the derive generates a function with this name.
fn function_name(
    context: &Context<'_>,
    entity: &EntityDesign,
    query: &Query,
    way: &Chosen<'_>,
) -> Result<Ident, String> {
    let conditions = entity.indexes.iter().filter(|index| index.when.is_some());
    let contributions = total::contributions(context.schema, entity);
    let conditions = conditions
        .map(|index| format!("is_in_{}", index.name))
        .chain(contributions.map(|(target, total)| total::condition_name(target, total)))
        .chain(["is_to_be_archived".to_owned()]);
    let taken: Vec<String> = taken_functions(entity).into_iter().chain(conditions).collect();
    if !taken.contains(&query.name) {
        return Ok(ident(&query.name));
    }
    let is_the_same = match way.path {
        Origin::Index(number) => {
            matches!(way.class, Class::Point)
                && entity.indexes.get(number).is_some_and(|index| index.name == query.name)
        }
        Origin::Lookup(number) => entity.lookups.get(number).is_some_and(|lookup| lookup.name == query.name),
        Origin::Primary => false,
    };
    if is_the_same {
        return Err("the index of this name has this function".to_owned());
    }
    Ok(format_ident!("{}_query", query.name))
}

fn parameters<'q>(
    context: &Context<'_>,
    entity: &EntityDesign,
    tests: &'q [Test],
) -> Result<Vec<Parameter<'q>>, String> {
    let mut taken: Vec<String> = Vec::new();
    let parameters = tests.iter().map(|test| {
        if let Some(literal) = &test.value {
            let field = entity.field(&test.field);
            let value = field.and_then(|field| condition_value(context, entity, field, literal));
            let value = value.ok_or_else(|| format!("`{}` has no value `{literal}`", test.field))?;
            return Ok(Parameter { test, value });
        }
        let mut name = test.field.clone();
        while taken.contains(&name) {
            name.push_str("_too");
        }
        taken.push(name.clone());
        let name = ident(&name);
        Ok(Parameter { test, value: quote!(#name) })
    });
    parameters.collect()
}

/// The row type of the result.
enum Row<'e> {
    Entity,
    Copy(Ident),
    Full,
    Selected(Ident, Vec<&'e FieldDesign>),
}

fn row_type<'e>(context: &Context<'_>, entity: &'e EntityDesign, query: &Query, way: &Chosen<'_>) -> Row<'e> {
    let own = match way.path {
        Origin::Index(number) => match entity.indexes.get(number) {
            Some(index) if index.copy != CopiedFields::All => {
                Row::Copy(ident(&companion(entity, &index.name)))
            }
            Some(_) if !is_near(entity, way.path) => Row::Full,
            _ => Row::Entity,
        },
        Origin::Primary | Origin::Lookup(_) => Row::Entity,
    };
    let Some(select) =
        query.select.as_ref().filter(|_| entity.wide.is_none() && !matches!(own, Row::Copy(_)))
    else {
        return own;
    };
    let fields: Vec<&FieldDesign> = select.iter().filter_map(|name| entity.field(name)).collect();
    let is_plain =
        |field: &&FieldDesign| field.kind != FieldKind::Blob && !field.encrypted && field.series.is_none();
    let mut names: Vec<&str> = select.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    if fields.is_empty() || names.len() != select.len() || !fields.iter().all(is_plain) {
        return own;
    }
    Row::Selected(context.names.row_of(query), fields)
}

fn is_near(entity: &EntityDesign, path: Origin) -> bool {
    let kinds = entity.row_kinds();
    let of = |origin| kinds.iter().find(|kind| kind.origin == origin);
    of(Origin::Primary).zip(of(path)).is_some_and(|(primary, kind)| kind.is_near(primary))
}

fn returned(entity: &EntityDesign, way: &Chosen<'_>, row: &Row<'_>) -> TokenStream {
    let is_several = entity.is_spread() || way.window.is_some() || way.values.is_some();
    let name = match &way.class {
        Class::Point if way.values.is_some() => "MultiPoint",
        Class::Point if entity.wide.is_some() => "WidePoint",
        Class::Point => "PointQuery",
        Class::List => "MultiPoint",
        Class::Range { .. } if way.residual.is_empty() => {
            if is_several {
                "FanOut"
            } else {
                "RangeQuery"
            }
        }
        Class::Range { .. } if is_several => "FanOutScan",
        Class::Range { .. } => "PartitionScan",
        Class::Table => "TableScan",
    };
    let name = ident(name);
    let row = match row {
        Row::Entity => TokenStream::new(),
        Row::Copy(copy) => quote!(, #copy),
        Row::Full => quote!(, FullIndexRow<Self>),
        Row::Selected(selected, _) => quote!(, #selected),
    };
    quote!(#name<Self #row>)
}

fn body(
    entity: &EntityDesign,
    query: &Query,
    way: &Chosen<'_>,
    parameters: &[Parameter<'_>],
    row: &Row<'_>,
) -> TokenStream {
    // The test that selects several partitions or points, and the variable of one of them.
    let varying = match (way.window, way.values) {
        (Some(test), _) => Some((test, unused(parameters, ["start", "first", "time"]))),
        (None, Some(test)) => Some((test, unused(parameters, ["one", "each", "value"]))),
        (None, None) => None,
    };
    let equal = |name: &String| {
        if let Some((_, item)) = varying.as_ref().filter(|(test, _)| test.field == *name) {
            return Some(item.to_token_stream());
        }
        let found = parameters.iter().find(|parameter| {
            parameter.test.field == *name && parameter.test.comparison == Comparison::Equal
        });
        found.map(|parameter| parameter.value.clone())
    };
    let each_once = |names: &[String]| {
        let mut once: Vec<&String> = Vec::new();
        // The functions of the derive have their parameters in this order.
        for name in way.partition.iter().chain(names) {
            if !once.contains(&name) {
                once.push(name);
            }
        }
        once.into_iter().filter_map(equal).collect::<Vec<_>>()
    };
    let all = each_once(&way.row);
    let partition: Vec<TokenStream> = way.partition.iter().filter_map(equal).collect();
    let named = |end: &str| match way.path {
        Origin::Index(number) => {
            entity.indexes.get(number).map(|index| ident(&format!("{}{end}", index.name)))
        }
        Origin::Lookup(number) => entity.lookups.get(number).map(|lookup| ident(&lookup.name)),
        Origin::Primary => None,
    };
    let mut body = match &way.class {
        Class::Point | Class::List => {
            let function = named("").unwrap_or_else(|| ident("point"));
            quote!(Self::#function(#(#all),*))
        }
        Class::Table => quote!(Self::scan_table()),
        Class::Range { lead: 0, next: None }
            if way.path == Origin::Primary && !way.residual.is_empty() && varying.is_none() =>
        {
            quote!(Self::scan_partition(#(#partition),*))
        }
        Class::Range { lead, next } => {
            let function = named("_rows").unwrap_or_else(|| ident("rows"));
            let fixed = way.row.iter().take(*lead).filter_map(equal);
            let rows = quote!(Self::#function(#(#partition),*) #(.at(#fixed))*);
            match next {
                Some(test) => {
                    let bound = bound(parameters, test, varying.is_some());
                    quote!(#rows #bound)
                }
                None if way.residual.is_empty() || varying.is_some() => quote!(#rows.between(..)),
                None => rows,
            }
        }
    };
    if let Some((test, item)) = &varying
        && let Some(name) = parameter_of(parameters, test)
    {
        body = if way.window.is_some() {
            quote!(FanOut::within(#name.clone(), |#item| #body))
        } else {
            let kind = ident(if matches!(way.class, Class::Point) { "MultiPoint" } else { "FanOut" });
            let is_plain = matches!(way.class, Class::Point) && all.len() == 1;
            let query = if is_plain { quote!(Self::point) } else { quote!(|#item| #body) };
            quote!(#name.into_iter().map(#query).collect::<#kind<_, _>>())
        };
    }
    if !way.residual.is_empty() {
        let is_scan = matches!(way.class, Class::Table)
            || matches!(way.class, Class::Range { lead: 0, next: None } if way.path == Origin::Primary);
        let word = ident(if is_scan && varying.is_none() { "filter" } else { "scan" });
        let condition = condition(parameters, &way.residual);
        body.extend(quote!(.#word #condition));
    }
    if let Row::Selected(selected, _) = row {
        body.extend(quote!(.select::<#selected>()));
    }
    let is_one = matches!(way.class, Class::Point) && varying.is_none();
    if let Some(most) = query.limit.or(query.latest).filter(|_| !is_one) {
        let most = Literal::u32_unsuffixed(most);
        body.extend(quote!(.take(#most)));
    }
    if let Some(page) = query.page.filter(|_| !is_one) {
        let page = Literal::u32_unsuffixed(page);
        body.extend(quote!(.page_size(#page)));
    }
    body
}

fn parameter_of<'p>(parameters: &'p [Parameter<'_>], test: &Test) -> Option<&'p TokenStream> {
    parameters.iter().find(|parameter| std::ptr::eq(parameter.test, test)).map(|parameter| &parameter.value)
}

/// Generates the bound of the next field of the `RowKey`, for several ranges if `is_repeated`.
fn bound(parameters: &[Parameter<'_>], test: &Test, is_repeated: bool) -> TokenStream {
    let Some(name) = parameter_of(parameters, test) else { return TokenStream::new() };
    match test.comparison {
        Comparison::Starts => quote!(.starts_with(#name)),
        Comparison::Less => quote!(.between(..#name)),
        Comparison::AtMost => quote!(.between(..=#name)),
        Comparison::AtLeast => quote!(.between(#name..)),
        Comparison::Greater => {
            quote!(.between((Bound::Excluded(#name), Bound::Unbounded)))
        }
        _ if is_repeated => quote!(.between(#name.clone())),
        _ => quote!(.between(#name)),
    }
}

/// Returns the first name that no parameter has.
fn unused(parameters: &[Parameter<'_>], names: [&str; 3]) -> Ident {
    let is_taken = |name: &str| parameters.iter().any(|parameter| parameter.value.to_string() == name);
    ident(names.into_iter().find(|name| !is_taken(name)).unwrap_or("entity"))
}

/// Generates the tests that are applied to each row.
fn condition(parameters: &[Parameter<'_>], residual: &[&Test]) -> TokenStream {
    let row = unused(parameters, ["e", "row", "it"]);
    let tests = residual.iter().filter_map(|test| {
        let (field, value) = (ident(&test.field), parameter_of(parameters, test)?);
        let word = ident(match test.comparison {
            Comparison::NotEqual => "ne",
            Comparison::Less => "lt",
            Comparison::AtMost => "le",
            Comparison::Greater => "gt",
            Comparison::AtLeast => "ge",
            Comparison::Between | Comparison::Within => "in_range",
            _ => "eq",
        });
        Some(quote!(#row.#field.#word(#value)))
    });
    let tests: Vec<TokenStream> = tests.collect();
    quote!((|#row| #(#tests)&*))
}

fn about(query: &Query, way: &Chosen<'_>) -> String {
    let class = match &way.class {
        Class::Point if way.values.is_some() => "a point query for each value",
        Class::Range { .. } if way.window.is_some() && way.residual.is_empty() => {
            "a range in the partition of each period"
        }
        Class::Range { .. } if way.window.is_some() => "a scan within the partition of each period",
        Class::Range { .. } if way.values.is_some() && way.residual.is_empty() => {
            "a range in the partition of each value"
        }
        Class::Range { .. } if way.values.is_some() => "a scan within the partition of each value",
        Class::Point => "a point query",
        Class::List => "the list, and a point read per member",
        Class::Range { .. } if way.residual.is_empty() => "a range",
        Class::Range { .. } => "a scan within a partition",
        Class::Table => "a scan of the table",
    };
    let condition = query.filter.as_ref().map(|filter| code(&filter.text));
    let condition = condition.unwrap_or_else(|| "All".to_owned());
    let rate = query.rate.map(|rate| format!(" Expected {rate}.")).unwrap_or_default();
    match query.about.as_deref().map(plain).filter(|about| !about.is_empty()) {
        Some(about) => format!("{about}\n\n{condition}: {class}.{rate}"),
        None => format!("{condition}: {class}.{rate}"),
    }
}

/// Generates the type of the selected fields of a query.
fn selected(
    context: &Context<'_>,
    entity: &EntityDesign,
    query: &str,
    name: &Ident,
    selected: &[&FieldDesign],
) -> TokenStream {
    let about = doc(&format!("The fields of {} that `{query}` selects.", link(&entity.name)));
    let of = ident(&entity.name);
    let fields = selected.iter().map(|field| {
        let (name, ty) = (ident(&field.name), fields::whole_type(context, entity, field));
        let about = doc(&format!("`{}`", field.name));
        quote!(#about pub #name: #ty)
    });
    quote! {
        #about
        #[derive(Projection, Clone, Debug)]
        #[table(of = #of)]
        pub struct #name { #(#fields),* }
    }
}
