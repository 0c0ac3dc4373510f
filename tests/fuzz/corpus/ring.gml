graph [
  label "ring"
  node [ id 0 label "a" Longitude 1.5 Latitude 2 ]
  node [ id 1 label "b" ]
  node [ id 2 label "c" ]
  edge [ source 0 target 1 weight 2 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 0 ]
]
